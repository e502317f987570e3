#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/geometry/shards.hpp"
#include "roadplane/kitti/frame.hpp"
#include "roadplane/kitti/ground_truth.hpp"
#include "roadplane/pipeline/segment_config.hpp"
#include "roadplane/results/frame_record.hpp"
#include "roadplane/solver/result.hpp"

namespace roadplane {

/// A frame as every method gets it: the same points in the same hands, the same truth.
struct SharedFrame {
  kitti::Frame frame;
  Scan scan;
  Shards shards;
  std::vector<HomogeneousCloud> clouds;  ///< one per agent, of all points
  std::optional<kitti::GroundTruth> truth;
  double share_ms = 0;  ///< [ms] sharding and normalising
};

/// Reads a frame and shares it out among the plan's agents. Throws InputError for a bad scan or
/// truth.
SharedFrame share_frame(const kitti::Frame& frame, const SegmentPlan& plan);

/// Points of the agent that has most.
std::size_t largest_shard(const SharedFrame& shared);

/// What one method made of one frame.
struct MethodRun {
  FrameRecord record;  ///< a method that found no plane has failed, and the error says why
  std::vector<TraceEntry> trace = {};      ///< with TraceOptions::mean: of the agents' hyperplane
  RecycledVector<std::uint8_t> road = {};  ///< the points' labels
};

/// The plan's solver and objective, all agents in this process, by the steps that every frame takes
/// (segment_points); scored where there is a truth.
MethodRun run_solver(const SharedFrame& shared, const SegmentPlan& plan);

/// A centralised method by its name in baseline_names(), on all points at once; seeded like the
/// plan, labelled by the plan's threshold.
MethodRun run_baseline(const SharedFrame& shared, std::string_view name, const SegmentPlan& plan);

}  // namespace roadplane
