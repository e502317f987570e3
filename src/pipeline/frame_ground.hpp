#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "roadplane/geometry/shards.hpp"
#include "roadplane/ground/relief.hpp"
#include "roadplane/pipeline/segment_config.hpp"
#include "roadplane/results/frame_record.hpp"

namespace roadplane {

/// Every hosted agent labels its own points, from its own plane or from the ground it finds over
/// it, as the plan says. There are reliefs only then, and residuals only if they are kept.
Ground label_share(Channel& channel, const PointRows& points, const Shards& shards,
                   std::span<const Eigen::Vector4d> hyperplanes, const SegmentPlan& plan,
                   Residuals residuals = Residuals::kept);

/// What an observer of all agents sees of their reliefs.
std::vector<Relief> observe_reliefs(const Channel& channel, std::span<const Relief> hosted);

/// The record with how its labels were made, and with what the ground took to send. All processes
/// take part.
FrameRecord with_ground(FrameRecord record, const Channel& channel, const Ground& ground,
                        const Traffic& sent, const SegmentPlan& plan);

}  // namespace roadplane
