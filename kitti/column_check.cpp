#include "column_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <set>
#include <vector>

#include "roadplane/base/input_error.hpp"

namespace roadplane::kitti {
namespace {

constexpr std::size_t kBlock = 16;   // points that lie side by side in a file
constexpr std::size_t kBlocks = 16;  // looked at, wherever they are
constexpr float kFarthestM = 1e5F;   // [m] no sensor on a vehicle sees that far
constexpr float kSmallest = 1e-20F;  // integers that are read as floats are smaller
constexpr double kAlike = 0.2;       // between the distributions of two columns
constexpr std::size_t kFewestRings = 8;

const char* const kExpected = "points x y z in metres";

/// A few blocks of a scan, far from each other and at no regular distance, which could hide that
/// every fifth number is a ring.
Scan sample_of(const PointSource& scan) {
  Scan sample(kBlock * kBlocks);
  const std::size_t places = scan.size() - kBlock + 1;
  for (std::size_t k = 0; k < kBlocks; ++k) {
    const std::size_t first = (k * 2654435761U) % places;
    scan.read(first, std::span(sample).subspan(k * kBlock, kBlock));
  }
  std::erase_if(sample, [](const Point& p) {
    return !std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z) ||
           (p.x == 0 && p.y == 0 && p.z == 0);  // a missing return
  });
  return sample;
}

std::vector<float> column_of(const Scan& points, float Point::*column) {
  std::vector<float> values(points.size());
  std::transform(points.begin(), points.end(), values.begin(),
                 [column](const Point& point) { return point.*column; });
  return values;
}

/// Whether Kolmogorov and Smirnov's distance between two samples is small. Columns of a scan are
/// mostly far apart at the first value looked at, so that nothing is sorted.
bool are_alike(const std::vector<float>& a, const std::vector<float>& b) {
  const auto below = [](const std::vector<float>& column, float at) {
    const auto count =
        std::count_if(column.begin(), column.end(), [at](float value) { return value <= at; });
    return static_cast<double>(count) / static_cast<double>(column.size());
  };
  return std::all_of(a.begin(), a.end(),
                     [&](float at) { return std::abs(below(a, at) - below(b, at)) < kAlike; });
}

std::string rounded(float number) {
  char text[32] = {};
  std::snprintf(text, sizeof text, "%.3g", static_cast<double>(number));
  return text;
}

/// A number that no sensor measures as a coordinate, if more than a few of them are.
std::optional<float> odd_number(const Scan& points) {
  std::size_t odd = 0;
  float found = 0;
  for (const Point& point : points) {
    for (const float value : {point.x, point.y, point.z}) {
      const float size = std::abs(value);
      if (size < kFarthestM && (size == 0 || size > kSmallest)) continue;
      ++odd;
      found = value;
    }
  }
  return odd * 20 > points.size() ? std::optional(found) : std::nullopt;
}

bool are_rings(const std::vector<float>& column) {
  return std::all_of(column.begin(), column.end(),
                     [](float v) { return v >= 0 && v < 256 && v == std::floor(v); }) &&
         std::set(column.begin(), column.end()).size() >= kFewestRings;
}

}  // namespace

void check_columns(const PointSource& scan, const std::string& where, const std::string& hint) {
  if (scan.size() < kBlock * kBlocks) return;
  const Scan points = sample_of(scan);
  if (points.size() < kBlock) return;
  if (const auto odd = odd_number(points)) {
    throw InputError(where, kExpected, std::string("numbers such as ") + rounded(*odd) + hint);
  }
  const std::vector<float> x = column_of(points, &Point::x);
  const std::vector<float> z = column_of(points, &Point::z);
  // Records of another length put every coordinate into every column, or into every second one.
  if (are_alike(x, z) &&
      are_alike(column_of(points, &Point::y), column_of(points, &Point::reflectance))) {
    throw InputError(where, kExpected, std::string("columns that all look alike") + hint);
  }
  if (are_rings(z) && !are_rings(x)) {
    throw InputError(where, kExpected, std::string("ring numbers in place of z") + hint);
  }
}

void check_raw_columns(const PointSource& scan, const std::string& where) {
  check_columns(scan, where,
                " (another format of raw floats? kitti and xyzi have 4 a point, nuscenes and xyzir "
                "5, xyz 3)");
}

}  // namespace roadplane::kitti
