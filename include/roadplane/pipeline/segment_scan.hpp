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

/// A scan, or what this process holds of it. Valid as long as frame, points and shards are.
struct ScanPart {
  const kitti::Frame& frame;  ///< which one it is, and the frame of reference of its file
  PointRows points;           ///< of the hosted agents
  const Shards& shards;       ///< who of them has which
  std::size_t scan_points;    ///< of the whole scan
  double load_ms = 0;         ///< what it took to have them here
};

/// What agents have made of their points.
struct Segmentation {
  FrameRecord record;             ///< of all that follows; if it has failed, there is no more
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

/// The agents agree on the plane of their points, and each labels its own; all processes call it.
/// `residuals` says whether the labels are to have them. The plane is found by find_plane(), or
/// tracked by `track`.
Segmentation segment_points(const ScanPart& scan, const SegmentPlan& plan, Channel& channel,
                            Residuals residuals = Residuals::kept, const PlaneFinder& track = {});

/// The same for a scan in memory, by agents of this process: nothing is read, scored or written.
/// Throws InputError that begins with `name` if the points hold no plane.
Segmentation segment_scan(const PointRows& points, const SegmentPlan& plan,
                          const std::string& name = "points", const PlaneFinder& track = {});

}  // namespace roadplane
