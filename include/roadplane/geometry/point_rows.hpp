#pragma once

#include <algorithm>
#include <concepts>

#include "roadplane/geometry/point.hpp"
#include "roadplane/kernels/float_rows.hpp"

namespace roadplane {

/// Points where they lie, which may be elsewhere than in a Scan: rows of three or more floats, x y
/// z first. Valid as long as the points are.
class PointRows {
 public:
  PointRows() = default;
  template <std::convertible_to<PointSpan> Points>
  PointRows(const Points& scan) {  // NOLINT(google-explicit-constructor): a scan is rows
    const PointSpan points(scan);
    rows_.first = points.empty() ? nullptr : &points.data()->x;
    rows_.count = points.size();
  }
  /// `stride` is in floats and not 0.
  PointRows(const float* first, std::size_t count, std::size_t columns, std::ptrdiff_t stride)
      : rows_{first, count, stride, columns >= 4 && stride == 4} {
    if (count == 0) return;
    rows_.outermost = stride < 0 ? 0 : count - 1;
    std::copy_n(row(rows_.outermost), 3, rows_.copy);
  }

  std::size_t size() const { return rows_.count; }
  bool empty() const { return rows_.count == 0; }
  /// Without its reflectance.
  Point operator[](std::size_t k) const { return {row(k)[0], row(k)[1], row(k)[2], 0}; }

  /// For the kernels.
  const FloatRows& floats() const { return rows_; }

 private:
  const float* row(std::size_t k) const {
    return rows_.first + static_cast<std::ptrdiff_t>(k) * rows_.stride;
  }

  FloatRows rows_;
};

}  // namespace roadplane
