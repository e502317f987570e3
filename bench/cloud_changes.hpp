#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "roadplane/base/counter_random.hpp"
#include "roadplane/evaluation/plane_distance.hpp"
#include "roadplane/geometry/point.hpp"

namespace plane_study {

using roadplane::PlaneDistance;
using roadplane::Scan;

/// Something done to a cloud that its plane follows.
struct CloudChange {
  std::string name;
  Eigen::Affine3d motion = Eigen::Affine3d::Identity();
  std::size_t every = 1;  ///< one out of so many points is kept
  double noise_m = 0;     ///< standard deviation, of each coordinate

  /// Missing returns, at the origin or not finite, stay what they are.
  Scan of(const Scan& scan) const {
    roadplane::CounterRandom random(1, roadplane::RandomUse::user);
    const auto noise = [&] { return noise_m > 0 ? noise_m * random.normal() : 0.0; };
    Scan changed;
    for (std::size_t k = 0; k < scan.size(); k += every) {
      const Eigen::Vector3d p(scan[k].x, scan[k].y, scan[k].z);
      if (p.isZero() || !p.allFinite()) {
        changed.push_back(scan[k]);
        continue;
      }
      const Eigen::Vector3d q = motion * p + Eigen::Vector3d(noise(), noise(), noise());
      changed.push_back({static_cast<float>(q.x()), static_cast<float>(q.y()),
                         static_cast<float>(q.z()), scan[k].reflectance});
    }
    return changed;
  }

  /// Where a hyperplane of the cloud is afterwards.
  Eigen::Vector4d of(const Eigen::Vector4d& w) const {
    return motion.matrix().inverse().transpose() * w;
  }

  /// How far the plane that was found in the changed cloud is from the one that was found before,
  /// at a place of the cloud as it was.
  std::optional<PlaneDistance> moved(const Eigen::Vector4d& before, const Eigen::Vector4d& after,
                                     const Eigen::Vector3d& place) const {
    return roadplane::plane_distance(after, of(before), motion * place);
  }
};

/// Whether a plane has followed its cloud.
inline bool has_followed(const std::optional<PlaneDistance>& moved) {
  return moved && moved->angle_deg <= 0.3 && moved->height_m <= 0.03;
}

inline CloudChange raised_by(double z_m) {
  char name[16];
  std::snprintf(name, sizeof(name), "z %+.1f", z_m);
  return {name, Eigen::Affine3d(Eigen::Translation3d(0, 0, z_m))};
}

inline CloudChange turned_by(double yaw_deg) {
  const Eigen::AngleAxisd turn(yaw_deg * std::numbers::pi / 180, Eigen::Vector3d::UnitZ());
  return {"yaw " + std::to_string(std::lround(yaw_deg)), Eigen::Affine3d(turn)};
}

inline std::vector<CloudChange> cloud_changes() {
  std::vector<CloudChange> changes;
  for (const double z_m : {-2.0, -0.6, -0.3, 0.1, 0.3, 0.6, 2.0}) {
    changes.push_back(raised_by(z_m));
  }
  for (const double yaw_deg : {30.0, 90.0}) changes.push_back(turned_by(yaw_deg));
  changes.push_back({.name = "half", .every = 2});
  changes.push_back({"scale 1.01", Eigen::Affine3d(Eigen::UniformScaling<double>(1.01))});
  changes.push_back({.name = "noise 2 cm", .noise_m = 0.02});
  return changes;
}

}  // namespace plane_study
