#pragma once

#include <vector>

#include "plane_study_problems.hpp"

namespace plane_study {

/// Changes every cloud in ways that its plane must follow, and prints where it does not.
void metamorphic_study(const std::vector<Problem>& problems);

}  // namespace plane_study
