#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "roadplane/geometry/point.hpp"
#include "world.hpp"

namespace roadplane::kitti::synthetic {

/// What the outlier knobs count.
enum class PointClass : std::size_t { road, second_plane, other };
inline constexpr std::size_t kPointClasses = 3;
using PerClass = std::array<double, kPointClasses>;

/// By SemanticKITTI label: road, parking and lane marking; other-ground; all else.
PointClass class_of(std::uint16_t label);

struct LidarScan {
  Scan points;
  std::vector<std::uint32_t> labels;
  int azimuth_steps = 0;
};

/// A 64-beam spinning LiDAR like the Velodyne HDL-64E, all beams from one point.
class Lidar {
 public:
  Lidar(const SceneOptions& options, const World& world, const View& view, int frame)
      : options_(options), world_(world), view_(view), frame_(frame) {}

  /// Returns per firing, by class, from a coarse turn of `steps` azimuths.
  PerClass probe(int steps) const;

  /// The whole turn: ring by ring from the top, each counter-clockwise from straight ahead. A
  /// coarse turn tells how many azimuths give the number of points and the shares asked for.
  LidarScan scan() const;

 private:
  struct Return {
    double range_m = 0;
    float reflectance = 0;
    double loss = 0;  ///< probability that this surface does not answer
    std::uint16_t label = 0;
  };

  bool fire(const Vec3& direction, Return& out) const;
  double on_rough_ground(const Ray& ray, const Hit& hit, const Surface& surface) const;
  void scan_ring(int ring, const PerClass& keep, LidarScan& out) const;

  const SceneOptions& options_;
  const World& world_;
  const View& view_;
  int frame_;
};

}  // namespace roadplane::kitti::synthetic
