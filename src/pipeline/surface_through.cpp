#include "surface_through.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace roadplane {
namespace {

constexpr double kMostPoints = 20;  // more do not make it surer
constexpr double kNoiseM = 0.03;    // [m] of a point
constexpr double kWindowM = 0.15;   // [m] of points that count
constexpr double kSlope = 0.1;      // by which the ground there may differ from the vehicle's own

double tukey(double distance_m) {
  const double t = distance_m / kWindowM;
  return std::abs(t) < 1 ? (1 - t * t) * (1 - t * t) : 0;
}

}  // namespace

Eigen::Vector3d surface_through(const std::vector<Eigen::Vector3d>& around,
                                const Eigen::Vector2d& own_slopes) {
  std::vector<double> heights;
  for (const Eigen::Vector3d& p : around) heights.push_back(p.z());
  const auto middle = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 2);
  std::nth_element(heights.begin(), middle, heights.end());
  const Eigen::Vector3d prior(*middle, own_slopes.x(), own_slopes.y());
  const double point = std::min(1.0, kMostPoints / static_cast<double>(around.size()));
  Eigen::Vector3d surface = prior;
  for (int step = 0; step < 5; ++step) {
    Eigen::Matrix3d h = Eigen::Vector3d(0, 1, 1).asDiagonal();
    h *= kNoiseM * kNoiseM / (kSlope * kSlope);
    Eigen::Vector3d g = h * prior;
    h(0, 0) += 1e-9;
    g(0) += 1e-9 * prior(0);
    for (const Eigen::Vector3d& p : around) {
      const Eigen::Vector3d row(1, p.x(), p.y());
      const double weight = point * tukey(p.z() - row.dot(surface));
      h += weight * row * row.transpose();
      g += weight * p.z() * row;
    }
    surface = h.ldlt().solve(g);
  }
  return surface;
}

}  // namespace roadplane
