#include "roadplane/kitti/synthetic/fleet.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <numbers>
#include <string>

#include "layout.hpp"
#include "lidar.hpp"
#include "roadplane/base/counter_random.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/kitti/fleet.hpp"
#include "roadplane/kitti/label_file.hpp"
#include "street.hpp"

namespace roadplane::kitti {
namespace {

using namespace synthetic;  // NOLINT(google-build-using-namespace): this is their front

constexpr std::uint32_t kPlaces = 50'000;  // agents of the generator, one a vehicle
constexpr std::uint32_t kPoses = 60'000;

double tangent(double degrees) { return std::tan(degrees * std::numbers::pi / 180); }

/// One behind the other in both lanes, not quite evenly.
LanePlace place_of(const FleetOptions& options, int vehicle, double time_s) {
  constexpr double kUneven = 0.25;  // of the spacing
  CounterRandom random(options.scene.seed, RandomUse::scene,
                       kPlaces + static_cast<std::uint32_t>(vehicle));
  const bool oncoming = vehicle % 2 == 1;
  const double row = vehicle / 2 + (oncoming ? 0.5 : 0) + kUneven * (random.uniform() - 0.5);
  const double driven = options.scene.speed_mps * time_s * (oncoming ? -1 : 1);
  return {options.spacing_m * row + driven, oncoming ? -kEgoLaneY : kEgoLaneY, oncoming};
}

Eigen::Isometry3d believed(const Eigen::Isometry3d& pose, const FleetOptions& options, int vehicle,
                           int moment) {
  CounterRandom random(options.scene.seed, RandomUse::scene,
                       kPoses + static_cast<std::uint32_t>(vehicle),
                       static_cast<std::uint64_t>(moment));
  const double degree = std::numbers::pi / 180;
  const Eigen::Vector3d shift(options.place_noise_m * random.normal(),
                              options.place_noise_m * random.normal(),
                              options.height_noise_m * random.normal());
  const double yaw = options.yaw_noise_deg * degree * random.normal();
  const double pitch = options.tilt_noise_deg * degree * random.normal();
  const double roll = options.tilt_noise_deg * degree * random.normal();
  Eigen::Isometry3d wrong = pose;
  wrong.linear() = Eigen::AngleAxisd(yaw, Vec3::UnitZ()) * Eigen::AngleAxisd(pitch, Vec3::UnitY()) *
                   Eigen::AngleAxisd(roll, Vec3::UnitX()) * pose.linear();
  wrong.translation() += shift;
  return wrong;
}

std::string exact(double value) {
  std::array<char, 64> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

template <class Numbers>
std::string yaml_line(const char* key, const Numbers& numbers) {
  std::string line = std::string(key) + ": [";
  for (const double number : numbers) line += (line.back() == '[' ? "" : ", ") + exact(number);
  return line + "]\n";
}

std::string yaml_of(const SyntheticVehicle& vehicle) {
  const Plane& ground = vehicle.ground;
  return yaml_line("lidar_pose", numbers_of(vehicle.pose)) +
         yaml_line("true_lidar_pose", numbers_of(vehicle.true_pose)) +
         yaml_line("true_ground", std::array<double, 4>{ground.normal.x(), ground.normal.y(),
                                                        ground.normal.z(), ground.offset_m});
}

void write_pcd(const std::filesystem::path& path, PointSpan points) {
  const std::string count = std::to_string(points.size());
  const std::string header =
      "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\nFIELDS x y z intensity\n"
      "SIZE 4 4 4 4\nTYPE F F F F\nCOUNT 1 1 1 1\nWIDTH " +
      count + "\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS " + count + "\nDATA binary\n";
  std::vector<std::byte> bytes(header.size() + points.size_bytes());
  std::memcpy(bytes.data(), header.data(), header.size());
  std::memcpy(bytes.data() + header.size(), points.data(), points.size_bytes());
  write_file_atomically(path, bytes);
}

}  // namespace

void FleetOptions::validate() const {
  scene.validate();
  require_range("vehicles", vehicles, 1, 256);
  require_range("spacing_m", spacing_m, 6, 200);
  require_range("place_noise_m", place_noise_m, 0, 10);
  require_range("yaw_noise_deg", yaw_noise_deg, 0, 20);
  require_range("height_noise_m", height_noise_m, 0, 10);
  require_range("tilt_noise_deg", tilt_noise_deg, 0, 20);
}

SyntheticFleet::SyntheticFleet(const FleetOptions& options) : options_(options) {
  options.validate();
  street_ = std::make_unique<const Street>(options.scene, layout_for(options.scene));
}

SyntheticFleet::~SyntheticFleet() = default;

double SyntheticFleet::ground_m(double x, double y) const {
  const SceneOptions& s = options_.scene;
  return tangent(s.slope_deg) * x + tangent(s.cross_slope_deg) * y + Hills(s).at(x, y).z_m;
}

SyntheticVehicle SyntheticFleet::vehicle(int vehicle, int moment) const {
  const SceneOptions& scene = options_.scene;
  const double time_s = moment / scene.frame_rate_hz;
  std::vector<Stand> others;
  for (int k = 0; k < options_.vehicles; ++k) {
    const LanePlace at = place_of(options_, k, time_s);
    others.push_back({at.street_x, at.lane_y, 0, at.oncoming ? std::numbers::pi : 0});
  }
  const LanePlace place = place_of(options_, vehicle, time_s);
  const View view = view_of_vehicle(scene, place, vehicle, time_s);
  const World world(
      scene, street_->ground(place.street_x, place.lane_y),
      street_->among(others, place.street_x, place.lane_y, kLidarReachM, kLidarReachM), view);
  // Every scan of the drive has random numbers of its own.
  LidarScan scan = Lidar(scene, world, view, moment * options_.vehicles + vehicle).scan();

  // The street's frame is sheared along the road below the vehicle; its own z = 0 is that road.
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = view.to_level;
  pose.translation() = view.slope.shear().inverse() * view.origin;
  const Height here = Hills(scene).at(place.street_x, place.lane_y);
  pose.translation().x() += place.street_x;
  pose.translation().z() +=
      tangent(scene.slope_deg) * place.street_x + here.z_m - here.left * place.lane_y;
  return {std::move(scan.points), std::move(scan.labels), pose,
          believed(pose, options_, vehicle, moment), view.road};
}

void write_fleet(const FleetOptions& options, const std::filesystem::path& folder,
                 const std::function<void(int done, int total)>& progress) {
  const SyntheticFleet fleet(options);
  std::error_code error;
  if (std::filesystem::exists(folder, error) && !std::filesystem::is_empty(folder, error)) {
    throw InputError(folder.string(), "a new or empty folder", "something else");
  }
  const int moments = options.scene.frames;
  for (int k = 0; k < options.vehicles; ++k) {
    const std::filesystem::path own = folder / std::to_string(k);
    make_folders(own);
    for (int moment = 0; moment < moments; ++moment) {
      const SyntheticVehicle vehicle = fleet.vehicle(k, moment);
      const std::string digits = std::to_string(moment);
      const std::string name = std::string(digits.size() < 6 ? 6 - digits.size() : 0, '0') + digits;
      write_pcd(own / (name + ".pcd"), vehicle.points);
      write_labels(own / (name + ".label"), vehicle.labels);
      write_file_atomically(own / (name + ".yaml"), yaml_of(vehicle));
      if (progress) progress(k * moments + moment + 1, options.vehicles * moments);
    }
  }
}

}  // namespace roadplane::kitti
