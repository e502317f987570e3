#include "world.hpp"

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "roadplane/base/counter_random.hpp"

namespace roadplane::kitti::synthetic {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kSensorHeightM = 1.73;
constexpr std::uint32_t kMotion = 20;  // agents of the generator
constexpr std::uint32_t kTextures = 21;
constexpr std::uint32_t kVehicles = 100000;  // and on: of a fleet

double radians(double degrees) { return degrees * kPi / 180; }

/// A sum of two slow sines with the seed's own phases: smooth from frame to frame, never periodic
/// within a sequence. In -1..1.
class Sway {
 public:
  explicit Sway(CounterRandom& random) : first_(phase(random)), second_(phase(random)) {}
  double at(double time_s) const {
    return 0.6 * std::sin(1.9 * time_s + first_) + 0.4 * std::sin(5.3 * time_s + second_);
  }

 private:
  static double phase(CounterRandom& random) { return 2 * kPi * random.uniform(); }
  double first_;
  double second_;
};

}  // namespace

Eigen::Matrix3d Slope::shear() const {
  Eigen::Matrix3d s = Eigen::Matrix3d::Identity();
  s(2, 0) = -ahead_;
  s(2, 1) = -left_;
  return s;
}

Vec3 Slope::road_normal() const { return Vec3(-ahead_, -left_, 1).normalized(); }

double Slope::stretch() const { return std::sqrt(1 + ahead_ * ahead_ + left_ * left_); }

namespace {

View view_at(const SceneOptions& options, const LanePlace& place, std::uint32_t motion, double t) {
  CounterRandom random(options.seed, RandomUse::scene, motion);
  const Sway nod(random);
  const Sway sway(random);
  const Sway weave(random);
  const Sway bounce(random);
  Eigen::Matrix3d to_level = (Eigen::AngleAxisd(radians(0.5) * weave.at(0.3 * t), Vec3::UnitZ()) *
                              Eigen::AngleAxisd(radians(0.35) * nod.at(t), Vec3::UnitY()) *
                              Eigen::AngleAxisd(radians(0.35) * sway.at(t), Vec3::UnitX()))
                                 .toRotationMatrix();
  if (place.oncoming) to_level = Eigen::Vector3d(-1, -1, 1).asDiagonal() * to_level;
  Slope slope(std::tan(radians(options.slope_deg)), std::tan(radians(options.cross_slope_deg)));
  const Hills hills(options);
  if (!hills.flat()) {  // which the vehicle follows
    const Height here = hills.at(place.street_x, place.lane_y);
    const Slope local = slope.plus(here.ahead, here.left);
    to_level = Eigen::Quaterniond::FromTwoVectors(slope.road_normal(), local.road_normal())
                   .toRotationMatrix() *
               to_level;
    slope = local;
  }
  const double height = kSensorHeightM + 0.012 * bounce.at(t);
  const Vec3 origin(0, place.lane_y + 0.15 * weave.at(0.2 * t), height * slope.stretch());
  const Plane road{to_level.transpose() * slope.road_normal(), height};
  return {to_level, slope.shear() * to_level, origin, slope, road, place.street_x, t};
}

}  // namespace

View view_of_frame(const SceneOptions& options, int frame) {
  const double t = frame / options.frame_rate_hz;
  return view_at(options, {.street_x = options.speed_mps * t}, kMotion, t);
}

View view_of_vehicle(const SceneOptions& options, const LanePlace& place, int vehicle,
                     double time_s) {
  return view_at(options, place, kVehicles + static_cast<std::uint32_t>(vehicle), time_s);
}

World::World(const SceneOptions& options, const Ground& ground, std::vector<Primitive> primitives,
             const View& view)
    : slope_(view.slope),
      normal_to_level_(slope_.shear().transpose()),
      ground_(ground),
      solids_(std::move(primitives)),
      street_x_(view.street_x),
      salt_(CounterRandom(options.seed, RandomUse::scene, kTextures)()) {}

bool World::trace(const Ray& ray, double limit, Hit& hit) const {
  bool found = ground_.intersect(ray, limit, hit.t, hit.face);
  hit.primitive = nullptr;
  PrimitiveHit solid;
  if (const Primitive* p = solids_.nearest(ray, found ? hit.t : limit, solid)) {
    hit = {solid.t, p, solid.face};
    found = true;
  }
  return found;
}

Surface World::surface(const Ray& ray, const Hit& hit) const {
  Surface s;
  s.point = ray.at(hit.t);
  Vec3 normal;
  if (hit.primitive != nullptr) {
    s.look = hit.primitive->look;
    normal = normal_at(*hit.primitive, s.point, hit.face);
  } else {
    s.look = ground_.look(s.point.x() + street_x_, s.point.y(), hit.face);
    normal = ground_.normal(s.point.x(), s.point.y(), hit.face);
  }
  if (normal.dot(ray.direction) > 0) normal = -normal;  // foliage is seen from inside, too
  s.normal = (normal_to_level_ * normal).normalized();
  return s;
}

}  // namespace roadplane::kitti::synthetic
