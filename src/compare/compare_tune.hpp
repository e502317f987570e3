#pragma once

#include <vector>

#include "roadplane/compare/compare_frames.hpp"

namespace roadplane {

/// Every solver of the plan on the tuning frames with every step of the grid and its whole budget;
/// the step with the least StaGap at the end is set in the plan, or of those that reach
/// ComparePlan::kSolvedGap the quickest. No truth is looked at.
/// A true `stop` ends it after the trial under way, with what it has by then.
std::vector<Tuning> tune_steps(ComparePlan& plan, const std::vector<kitti::Frame>& frames,
                               const CompareProgress& progress, const std::atomic<bool>& stop);

}  // namespace roadplane
