#include "roadplane/baseline/irls.hpp"

#include <utility>

#include "roadplane/base/stopwatch.hpp"

namespace roadplane {

BaselineResult fit_irls(const HomogeneousCloud& cloud, const IrlsOptions& options) {
  const Stopwatch watch;
  LeastAbsolute fit = least_absolute_plane(cloud, options);
  return {fit.w, fit.iterations, std::move(fit.degeneracy), watch.seconds()};
}

}  // namespace roadplane
