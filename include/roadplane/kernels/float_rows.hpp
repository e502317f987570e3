#pragma once

#include <cstddef>

namespace roadplane {

/// Where the points of a scan lie: rows of floats, x y z first. The kernels load four floats of
/// each.
struct FloatRows {
  const float* first = nullptr;
  std::size_t count = 0;
  std::ptrdiff_t stride = 4;  ///< floats from row to row
  bool four = true;           ///< rows of four floats, one behind the other
  /// Otherwise the row behind which nothing may be read, and a copy of it.
  std::size_t outermost = 0;
  float copy[4] = {0, 0, 0, 0};
};

}  // namespace roadplane
