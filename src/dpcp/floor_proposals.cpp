#include "floor_proposals.hpp"

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <numeric>

namespace roadplane {
namespace {

constexpr double kLeastSine =
    1e-4;                     // between the sides of a triple: points are in single precision
constexpr int kOwnSteps = 5;  // towards an agent's own low points

/// NaN if the three points lie on a line.
Floor drawn_floor(const LowPoints& points, CounterRandom& random) {
  const auto count = static_cast<std::uint32_t>(points.size());
  const Eigen::Vector3d a = points[random.below(count)];
  const Eigen::Vector3d b = points[random.below(count)] - a;
  const Eigen::Vector3d c = points[random.below(count)] - a;
  const Eigen::Vector3d across = b.cross(c);
  const double length = across.norm();
  if (!(length > kLeastSine * b.norm() * c.norm())) return Floor::Constant(NAN);
  const Eigen::Vector3d normal = across / (across.z() < 0 ? -length : length);
  return {normal.x(), normal.y(), normal.z(), -normal.dot(a)};
}

/// Three points are a rough guess.
Floor settled(const LowPoints& points, Floor floor) {
  std::array<double, FloorKernels::kMoments> sums;
  for (int k = 0; k < kOwnSteps; ++k) {
    points.moments(floor, sums.data());
    floor = moved_floor(floor, settling_step(sums.data()));
  }
  return floor;
}

}  // namespace

std::vector<Floor> proposed_floors(const LowPoints& points, const RoadTest& road,
                                   CounterRandom random, int draws, std::size_t wanted) {
  std::vector<Floor> drawn;
  drawn.reserve(static_cast<std::size_t>(draws));
  for (int k = 0; k < draws && points.size() >= 3; ++k) {
    const Floor floor = drawn_floor(points, random);
    if (floor.allFinite() && road.admits(floor)) drawn.push_back(floor);
  }
  std::vector<FloorCounts> counts(drawn.size());
  points.weigh(drawn, counts.data());
  std::vector<std::size_t> order(drawn.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto better = [&](std::size_t a, std::size_t b) {
    return worth(counts[a]) > worth(counts[b]) || (worth(counts[a]) == worth(counts[b]) && a < b);
  };
  std::vector<Floor> best;
  // Mostly the first few will do.
  for (auto next = order.begin(); next != order.end() && best.size() < wanted; ++next) {
    std::iter_swap(next, std::min_element(next, order.end(), better));
    const Floor floor = settled(points, drawn[*next]);
    const auto same = [&](const Floor& f) { return sine_between(f, floor) < kSameFloor; };
    if (road.admits(floor) && std::none_of(best.begin(), best.end(), same)) best.push_back(floor);
  }
  return best;
}

}  // namespace roadplane
