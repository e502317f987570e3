#pragma once

#include <vector>

#include "roadplane/compare/compare_frames.hpp"

namespace roadplane {

/// Every solver's own parameters, tuned on the tuning frames with the whole budget: from the best
/// step of the plan's list by climbing, one parameter at a time, as far as it gets better. The
/// setting whose curve of distances from the minimiser lies lowest is the choice, see approach();
/// it is set in the plan. No truth is looked at. A true `stop` ends it after the trials under way,
/// with the solvers that are done by then.
std::vector<Tuning> tune_methods(ComparePlan& plan, const std::vector<kitti::Frame>& frames,
                                 const CompareProgress& progress, const std::atomic<bool>& stop);

}  // namespace roadplane
