#pragma once

#include <algorithm>
#include <array>

#include "roadplane/geometry/point.hpp"
#include "roadplane/kernels/vectors.hpp"

namespace roadplane {

using ROADPLANE_KERNELS::Coordinates;
using ROADPLANE_KERNELS::Quad;

/// results[k] = f(points[k]), four at a time: `f` takes four points' coordinates and gives a vector
/// of four. Vectors of that width need no choice of an instruction set.
template <class F, class Result>
void for_each_four(PointSpan points, Result* results, const F& f) {
  const auto at = [&f](const Point* p) {
    using ROADPLANE_KERNELS::load_quad;
    return f(ROADPLANE_KERNELS::coordinates(load_quad(&p[0].x), load_quad(&p[1].x),
                                            load_quad(&p[2].x), load_quad(&p[3].x)));
  };
  std::size_t k = 0;
  for (; k + 4 <= points.size(); k += 4) {
    const auto four = at(&points[k]);
    for (int m = 0; m < 4; ++m) results[k + m] = static_cast<Result>(four[m]);
  }
  if (k == points.size()) return;
  std::array<Point, 4> rest{};
  std::copy(points.begin() + static_cast<std::ptrdiff_t>(k), points.end(), rest.begin());
  const auto four = at(rest.data());
  for (int m = 0; k < points.size(); ++k, ++m) results[k] = static_cast<Result>(four[m]);
}

}  // namespace roadplane
