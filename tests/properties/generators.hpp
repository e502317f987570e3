#pragma once

#include <rapidcheck.h>

#include <Eigen/Core>
#include <cmath>
#include <ostream>
#include <vector>

#include "roadplane/geometry/plane.hpp"
#include "roadplane/geometry/point.hpp"
#include "roadplane/network/graph.hpp"

/// What properties are tried on. Values shrink towards 0, so that what fails is shown as small as
/// it gets.
namespace roadplane::test {

/// -1 to 1.
inline rc::Gen<double> unit() {
  constexpr int kSteps = 1 << 20;
  return rc::gen::map(rc::gen::inRange(-kSteps, kSteps + 1),
                      [](int step) { return static_cast<double>(step) / kSteps; });
}

/// 1e-3 to 1e5: metres that a scan may be large.
inline rc::Gen<double> scale_m() {
  return rc::gen::map(rc::gen::inRange(-300, 501),
                      [](int hundredths) { return std::pow(10.0, hundredths / 100.0); });
}

inline rc::Gen<Point> point(double size_m) {
  return rc::gen::map(rc::gen::tuple(unit(), unit(), unit()), [size_m](const auto& p) {
    const auto metres = [size_m](double share) { return static_cast<float>(share * size_m); };
    return Point{metres(std::get<0>(p)), metres(std::get<1>(p)), metres(std::get<2>(p)), 0};
  });
}

inline rc::Gen<Scan> scan(double size_m) { return rc::gen::container<Scan>(point(size_m)); }

/// Tilted by 60 degrees at most, up to `size_m` below the sensor.
inline rc::Gen<Plane> plane(double size_m) {
  return rc::gen::map(rc::gen::tuple(unit(), unit(), unit()), [size_m](const auto& p) {
    const Eigen::Vector3d normal(std::get<0>(p), std::get<1>(p), 1);
    return Plane{normal.normalized(), std::get<2>(p) * size_m};
  });
}

/// Connected: every agent but the first has a link to one before it, and some have more.
inline rc::Gen<Graph> graph(int most_agents) {
  using Pairs = std::vector<std::pair<int, int>>;
  const auto pair = rc::gen::pair(rc::gen::inRange(0, 1 << 16), rc::gen::inRange(0, 1 << 16));
  return rc::gen::map(
      rc::gen::pair(rc::gen::inRange(1, most_agents + 1), rc::gen::container<Pairs>(pair)),
      [](const std::pair<int, Pairs>& drawn) {
        const int agents = drawn.first;
        std::vector<Graph::Edge> edges;
        for (int k = 1; k < agents; ++k) {
          const std::size_t n = drawn.second.size();
          edges.emplace_back(k, n > 0 ? drawn.second[k % n].first % k : k - 1);
        }
        for (const auto& [a, b] : drawn.second) {
          if (a % agents != b % agents) edges.emplace_back(a % agents, b % agents);
        }
        return Graph(agents, edges);
      });
}

}  // namespace roadplane::test

namespace roadplane {

inline void showValue(const Point& p, std::ostream& out) {
  out << '(' << p.x << ' ' << p.y << ' ' << p.z << ')';
}
inline void showValue(const Plane& plane, std::ostream& out) {
  out << plane.normal.transpose() << " | " << plane.offset_m;
}
inline void showValue(const Graph& graph, std::ostream& out) {
  out << graph.size() << " agents:";
  for (int a = 0; a < graph.size(); ++a) {
    for (const int b : graph.neighbours(a)) {
      if (a < b) out << ' ' << a << '-' << b;
    }
  }
}

}  // namespace roadplane
