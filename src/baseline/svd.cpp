#include "svd.hpp"

#include "roadplane/dpcp/spectrum.hpp"
#include "support.hpp"

namespace roadplane {

BaselineResult fit_svd(const HomogeneousCloud& cloud) {
  const baseline::Stopwatch watch;
  BaselineResult result;
  const Spectrum spectrum(cloud.second_moment(), static_cast<double>(cloud.size()));
  result.degeneracy = spectrum.degeneracy();
  if (result.found()) result.w = spectrum.smallest();
  result.seconds = watch.seconds();
  return result;
}

}  // namespace roadplane
