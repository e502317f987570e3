#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "roadplane/dpcp/find_plane.hpp"
#include "roadplane/ground/labelling.hpp"
#include "roadplane/kitti/frame.hpp"
#include "roadplane/kitti/ground_truth.hpp"
#include "roadplane/results/frame_record.hpp"

namespace roadplane {

// The steps that every frame takes, whoever takes it: each makes a value of values, and a record is
// made of them at the end.

/// The clouds of all agents whose points a process holds. Of a sample, the agent is the first one.
std::vector<HomogeneousCloud> clouds_of(const PointRows& points, const Shards& shards,
                                        const HomogeneousCloud::Sample& sample = {});
/// The same into clouds whose memory serves again.
void assign_clouds(const PointRows& points, const Shards& shards,
                   const HomogeneousCloud::Sample& sample, std::vector<HomogeneousCloud>& clouds);
/// What an observer of all agents sees: their hyperplanes, the mean, and how far they are apart.
struct Consensus {
  std::vector<Eigen::Vector4d> agents;
  Eigen::Vector4d mean = Eigen::Vector4d::Zero();
  double worst_deviation = 0;  ///< largest distance of an agent's hyperplane from the mean
};
Consensus consensus_of(std::vector<Eigen::Vector4d> agents);
/// The same where the agents are spread over processes.
Consensus observe_consensus(const Channel& channel, std::span<const Eigen::Vector4d> hosted);

/// Why a solve has given no plane; nothing if it has.
std::optional<std::string> why_no_plane(const PlaneFit& fit);

/// A result against the truth.
FrameScore score_of(const Consensus& consensus, const PointLabels& labels,
                    const kitti::GroundTruth& truth);

/// The recovery error of every entry of a trace of hyperplanes.
std::vector<double> recovery_errors(std::span<const TraceEntry> trace,
                                    const Eigen::Vector4d& truth);

/// A record of a frame that nothing is known of yet.
FrameRecord record_of(const kitti::Frame& frame, std::size_t points);
/// The same with what a solve took and found, ...
FrameRecord with_fit(FrameRecord record, const PlaneFit& fit, const Network& network);
/// ... with the plane that the agents agree on (failed if that is none), ...
FrameRecord with_plane(FrameRecord record, const Consensus& consensus, const kitti::Frame& frame);
/// ... and with an error of at least that status.
FrameRecord with_error(FrameRecord record, FrameStatus status, const std::string& why);

}  // namespace roadplane
