#include "svd.hpp"

#include "roadplane/base/stopwatch.hpp"
#include "roadplane/dpcp/spectrum.hpp"

namespace roadplane {

BaselineResult fit_svd(const HomogeneousCloud& cloud) {
  const Stopwatch watch;
  BaselineResult result;
  const Spectrum spectrum(cloud.second_moment(), static_cast<double>(cloud.size()));
  result.degeneracy = spectrum.degeneracy();
  if (result.found()) result.w = spectrum.smallest();
  result.seconds = watch.seconds();
  return result;
}

}  // namespace roadplane
