#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "bvh.hpp"
#include "ground.hpp"
#include "roadplane/geometry/plane.hpp"
#include "roadplane/kitti/synthetic/options.hpp"

namespace roadplane::kitti::synthetic {

/// The slope of the road below the vehicle, against the level world, as the shear that takes that
/// world to street coordinates.
class Slope {
 public:
  Slope(double ahead, double left) : ahead_(ahead), left_(left) {}

  Slope plus(double ahead, double left) const { return {ahead_ + ahead, left_ + left}; }
  Eigen::Matrix3d shear() const;  ///< street = shear * level, for directions
  Vec3 road_normal() const;       ///< in the level world
  /// [m] of street height per metre of distance from the road plane.
  double stretch() const;

 private:
  double ahead_;
  double left_;
};

/// Where the sensor is in one frame and how it is turned.
struct View {
  Eigen::Matrix3d to_level;   ///< level-world direction = to_level * sensor direction
  Eigen::Matrix3d to_street;  ///< street direction = to_street * sensor direction
  Vec3 origin;                ///< of the sensor, in street coordinates
  Slope slope;                ///< between them
  Plane road;                 ///< the exact road plane below the vehicle, in the sensor frame
  double street_x = 0;        ///< [m] driven since the start
  double time_s = 0;

  Ray ray(const Vec3& sensor_origin, const Vec3& sensor_direction) const {
    return {origin + to_street * sensor_origin, to_street * sensor_direction};
  }
};

/// Where a vehicle of several is, and which way it drives.
struct LanePlace {
  double street_x = 0;  ///< [m]
  double lane_y = kEgoLaneY;
  bool oncoming = false;
};

/// A vehicle of several; each sways in its own way.
View view_of_vehicle(const SceneOptions& options, const LanePlace& place, int vehicle,
                     double time_s);

/// The ego vehicle's motion: it keeps its lane, and sways, nods and bounces a little.
View view_of_frame(const SceneOptions& options, int frame);

/// What a ray met.
struct Hit {
  double t = 0;
  const Primitive* primitive = nullptr;  ///< null: the ground
  int face = 0;                          ///< of the primitive, or the piece of the ground
};

/// A hit with everything that shading and reflectance need.
struct Surface {
  Vec3 point;   ///< street coordinates
  Vec3 normal;  ///< level world, unit, towards the ray's origin
  Look look;
};

/// Everything that can be seen in one frame.
class World {
 public:
  /// The ground is as seen from the view's place.
  World(const SceneOptions& options, const Ground& ground, std::vector<Primitive> primitives,
        const View& view);

  bool trace(const Ray& ray, double limit, Hit& hit) const;
  bool blocked(const Ray& ray, double limit) const { return solids_.blocked(ray, limit); }
  Surface surface(const Ray& ray, const Hit& hit) const;

  const Slope& slope() const { return slope_; }
  const Relief& relief() const { return ground_.relief(); }
  double street_x() const { return street_x_; }
  std::uint32_t salt() const { return salt_; }  ///< of all ground textures

 private:
  Slope slope_;
  Eigen::Matrix3d normal_to_level_;
  Ground ground_;
  Bvh solids_;
  double street_x_;
  std::uint32_t salt_;
};

}  // namespace roadplane::kitti::synthetic
