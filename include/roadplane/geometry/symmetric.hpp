#pragma once

#include <Eigen/Core>
#include <span>

namespace roadplane {

/// Entries of the lower triangle of a symmetric 4 x 4 matrix, which is kept and sent row by row.
inline constexpr std::size_t kTriangleSize = 10;

/// The triangle that begins at an entry of a longer row.
template <class Number>
std::span<Number, kTriangleSize> triangle_at(Number* entry) {
  return std::span<Number, kTriangleSize>(entry, kTriangleSize);
}

inline void pack_triangle(const Eigen::Matrix4d& matrix,
                          std::span<double, kTriangleSize> triangle) {
  auto entry = triangle.begin();
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c <= r; ++c) *entry++ = matrix(r, c);
  }
}

inline Eigen::Matrix4d unpack_triangle(std::span<const double, kTriangleSize> triangle) {
  Eigen::Matrix4d matrix;
  auto entry = triangle.begin();
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c <= r; ++c) matrix(r, c) = matrix(c, r) = *entry++;
  }
  return matrix;
}

}  // namespace roadplane
