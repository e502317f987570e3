#pragma once

#include "roadplane/baseline/result.hpp"
#include "roadplane/dpcp/least_absolute.hpp"

namespace roadplane {

/// least_absolute_plane(), timed.
BaselineResult fit_irls(const HomogeneousCloud& cloud, const IrlsOptions& options = {});

}  // namespace roadplane
