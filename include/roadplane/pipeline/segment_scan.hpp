#pragma once

#include <functional>
#include <string>
#include <vector>

#include "roadplane/geometry/shards.hpp"
#include "roadplane/ground/relief.hpp"
#include "roadplane/kitti/frame.hpp"
#include "roadplane/pipeline/frame_path.hpp"
#include "roadplane/pipeline/segment_config.hpp"
#include "roadplane/results/frame_record.hpp"
#include "roadplane/solver/result.hpp"

namespace roadplane {

/// What agents have made of their points.
struct Segmentation {
  FrameRecord record;             ///< its plane and all else; if it has failed, there is no more
  std::string why_none;           ///< there is no plane; empty if there is one
  Consensus consensus;            ///< of all agents
  PointLabels labels;             ///< of the points given, in their order
  std::vector<Relief> reliefs;    ///< of the hosted agents, where they find one
  std::vector<TraceEntry> trace;  ///< where the plan asks for it
};

/// How the plane of a scan is found where it is tracked.
using PlaneFinder = std::function<PlaneFit(Channel& channel, std::span<const HomogeneousCloud>,
                                           const PlaneOptions& options)>;

/// The clouds of the agents that the channel hosts; they last until the thread asks for others.
std::span<const HomogeneousCloud> hosted_clouds(const PointRows& points, const Shards& shards,
                                                const SegmentPlan& plan, const Channel& channel);

/// The agents agree on the plane of their points, and each labels its own. `points` are those of
/// the agents that the channel hosts, `shards` says whose; all processes call it. `record` is what
/// is known of the frame so far; `residuals` says whether the labels are to have them. The plane is
/// found by find_plane(), or tracked by `track`.
Segmentation segment_points(const PointRows& points, const Shards& shards, FrameRecord record,
                            const kitti::Frame& frame, const SegmentPlan& plan, Channel& channel,
                            Residuals residuals = Residuals::kept, const PlaneFinder& track = {});

/// The same for a scan in memory, by agents of this process: nothing is read, scored or written.
/// Throws InputError that begins with `name` if the points hold no plane.
Segmentation segment_scan(const PointRows& points, const SegmentPlan& plan,
                          const std::string& name = "points", const PlaneFinder& track = {});

}  // namespace roadplane
