#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>

#include "roadplane/dpcp/dpcp.hpp"
#include "roadplane/kitti/ground_truth.hpp"
#include "roadplane/results/frame_record.hpp"

namespace roadplane {

/// What a solve took, in the record's words. `record.points` must be known.
void record_solve(const DpcpResult& result, const Network& network, FrameRecord& record);

/// A result against the truth: the agents' hyperplanes and record.w, their mean; every point's
/// residual and label.
FrameScore score_frame(const kitti::GroundTruth& truth, std::span<const Eigen::Vector4d> agents,
                       const FrameRecord& record, std::span<const float> residuals,
                       std::span<const std::uint8_t> road);

}  // namespace roadplane
