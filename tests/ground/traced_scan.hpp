#pragma once

#include <cmath>
#include <functional>
#include <numbers>

#include "roadplane/base/counter_random.hpp"
#include "roadplane/geometry/plane.hpp"
#include "roadplane/geometry/point.hpp"

namespace roadplane {

constexpr int kAgents = 16;
constexpr double kSensorM = 1.7;
inline const Plane kStreet{Eigen::Vector3d::UnitZ(), kSensorM};

/// [m] of the surface over the road's plane.
using Shape = std::function<double(double x, double y)>;

/// What a spinning sensor sees of a surface up to 60 m, to 1 cm.
inline Scan scan_of(const Shape& surface, double noise_m = 0.01) {
  CounterRandom random(7, RandomUse::user);
  Scan scan;
  for (double elevation = -0.4; elevation < 0.05; elevation += 0.009) {
    for (double azimuth = -std::numbers::pi; azimuth < std::numbers::pi; azimuth += 0.01) {
      const double c = std::cos(azimuth), s = std::sin(azimuth), rise = std::tan(elevation);
      for (double r = 2; r < 60; r += 0.05) {
        if (surface(r * c, r * s) - kSensorM < rise * r) continue;
        double above = r - 0.05;
        for (int k = 0; k < 30; ++k) {
          const double middle = (above + r) / 2;
          (surface(middle * c, middle * s) - kSensorM < rise * middle ? above : r) = middle;
        }
        scan.push_back({static_cast<float>(r * c), static_cast<float>(r * s),
                        static_cast<float>(rise * r + noise_m * random.normal()), 0.5F});
        break;
      }
    }
  }
  return scan;
}

}  // namespace roadplane
