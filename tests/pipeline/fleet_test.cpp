#include "roadplane/pipeline/fleet.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "roadplane/kitti/synthetic/fleet.hpp"
#include "support/data.hpp"
#include "support/temp_dir.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;
using test::TempDir;

kitti::FleetOptions street_fleet(int vehicles) {
  kitti::FleetOptions options;
  options.scene.points_per_frame = 12000;
  options.scene.frames = 1;
  options.vehicles = vehicles;
  return options;
}

FleetConfig config_of(const fs::path& path, const std::string& save = "none") {
  FleetConfig config;
  config.path = path.string();
  config.save = save;
  return config;
}

MomentRecord solve(const FleetConfig& config, const fs::path& out = {}) {
  const FleetPlan plan(config);
  const kitti::Fleet fleet = kitti::open_fleet(config.path, config.members);
  const auto moments = moments_of_fleet(fleet, config, SingleProcess());
  return segment_moment(fleet, moments.front(), plan, out);
}

GroundError error_of(const VehicleRecord& vehicle) {
  return vehicle.truth->error_of(vehicle.ground);
}

/// Replaces a vehicle's pose by that of a file with another z and pitch.
void spoil_pose(const fs::path& yaml, double lift_m) {
  std::ifstream in(yaml);
  std::string line;
  std::string all;
  while (std::getline(in, line)) {
    if (line.starts_with("lidar_pose")) {
      auto numbers = nlohmann::json::parse(line.substr(line.find('[')));
      numbers[2] = numbers[2].get<double>() + lift_m;
      line = "lidar_pose: " + numbers.dump();
    }
    all += line + "\n";
  }
  in.close();
  std::ofstream(yaml) << all;
}

TEST(Fleet, AVehicleWithAWrongPoseIsNamedAndSpoilsNothing) {
  const TempDir folder;
  kitti::FleetOptions options = street_fleet(5);
  options.place_noise_m = 0.2;
  options.yaw_noise_deg = 0.2;
  kitti::write_fleet(options, folder / "fleet");
  const MomentRecord good = solve(config_of(folder / "fleet"));
  ASSERT_EQ(good.parts.size(), 1U);
  EXPECT_TRUE(good.parts[0].one_plane);
  EXPECT_LT(good.parts[0].bytes_per_vehicle, 24e3);
  for (const VehicleRecord& vehicle : good.vehicles) {
    EXPECT_NE(vehicle.frame.status, FrameStatus::failed) << vehicle.frame.error;
    EXPECT_FALSE(vehicle.pose_doubted) << vehicle.vehicle;
    EXPECT_LT(std::abs(error_of(vehicle).height_m), 0.03) << vehicle.vehicle;
    EXPECT_LT(error_of(vehicle).angle_deg, 0.1) << vehicle.vehicle;
    EXPECT_GT(vehicle.frame.inliers, 1000U);
  }
  spoil_pose(folder / "fleet/2/000000.yaml", 2);
  const MomentRecord spoilt = solve(config_of(folder / "fleet"));
  for (const VehicleRecord& vehicle : spoilt.vehicles) {
    EXPECT_EQ(vehicle.pose_doubted, vehicle.vehicle == "2") << vehicle.vehicle;
    EXPECT_LT(std::abs(error_of(vehicle).height_m), 0.03) << vehicle.vehicle;
  }
  EXPECT_NEAR(spoilt.vehicles[2].pose_high_m, 2, 0.05);
  EXPECT_NE(spoilt.vehicles[2].frame.note.find("its pose is not that of the others"),
            std::string::npos);
  EXPECT_EQ(spoilt.vehicles[2].frame.status, FrameStatus::suspect);
}

TEST(Fleet, BadFilesAreNamedAndTheOthersGoOn) {
  const TempDir folder;
  kitti::write_fleet(street_fleet(6), folder / "fleet");
  fs::remove(folder / "fleet/0/000000.yaml");
  std::ofstream(folder / "fleet/1/000000.yaml") << "lidar_pose: [0, 0, .nan, 0, 0, 0]\n";
  std::ofstream(folder / "fleet/2/000000.pcd") << "";
  fs::copy(folder / "fleet/3", folder / "fleet/03");  // who is 3?
  const MomentRecord record = solve(config_of(folder / "fleet", "label,picture"), folder / "out");
  ASSERT_EQ(record.vehicles.size(), 5U);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(record.vehicles[k].frame.status, FrameStatus::failed) << k;
    EXPECT_NE(record.vehicles[k].frame.error.find("000000."), std::string::npos)
        << record.vehicles[k].frame.error;
    EXPECT_EQ(record.vehicles[k].part, -1);
  }
  EXPECT_EQ(record.vehicles[3].vehicle, "4");
  EXPECT_NE(record.vehicles[3].frame.status, FrameStatus::failed);
  EXPECT_EQ(record.parts[0].vehicles, (std::vector<std::string>{"4", "5"}));
  EXPECT_TRUE(fs::exists(folder / "out/sequences/4/predictions/000000.label"));
  EXPECT_FALSE(fs::exists(folder / "out/sequences/0"));
  EXPECT_TRUE(fs::exists(folder / "out/fleet/000000.png"));
}

TEST(Fleet, VehiclesOutOfReachHaveAnswersOfTheirOwn) {
  const TempDir folder;
  kitti::FleetOptions options = street_fleet(4);
  options.spacing_m = 60;  // two lanes, 30 m apart
  kitti::write_fleet(options, folder / "fleet");
  FleetConfig config = config_of(folder / "fleet");
  config.radio_range_m = 20;
  const MomentRecord record = solve(config);
  EXPECT_EQ(record.parts.size(), 4U);
  for (const VehicleRecord& vehicle : record.vehicles) {
    EXPECT_TRUE(vehicle.neighbours.empty());
    EXPECT_LT(std::abs(error_of(vehicle).height_m), 0.05);
    EXPECT_EQ(vehicle.frame.bytes_per_agent, 0);
  }
}

TEST(Fleet, OnHillsEveryPlaceHasItsOwnGround) {
  const TempDir folder;
  kitti::FleetOptions options = street_fleet(8);
  options.scene.points_per_frame = 30000;
  options.scene.hill = kitti::Hill::crest;
  options.height_noise_m = 0.2;
  kitti::write_fleet(options, folder / "fleet");
  const MomentRecord record = solve(config_of(folder / "fleet"));
  EXPECT_FALSE(record.parts[0].one_plane);
  const FleetErrors errors = errors_of(record);
  EXPECT_LT(errors.height_m.fleet, 0.8 * errors.height_m.single);
  EXPECT_LT(errors.height_m.fleet, 0.8 * errors.height_m.alone);
  EXPECT_LT(errors.ahead_m.fleet, 0.5 * errors.ahead_m.single);
  EXPECT_LT(errors.ahead_m.fleet, 0.5 * errors.ahead_m.alone);
}

/// A scan of the same sensor in which most of what is as low as the road is hidden.
void hide_road(const kitti::FleetOptions& options, int vehicle, const fs::path& pcd) {
  const kitti::SyntheticVehicle made = kitti::SyntheticFleet(options).vehicle(vehicle, 0);
  std::string rows;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < made.points.size(); ++k) {
    const Point& p = made.points[k];
    const double above_m =
        made.ground.normal.dot(Eigen::Vector3d(p.x, p.y, p.z)) + made.ground.offset_m;
    if (std::abs(above_m) < 0.08 && k % 8 != 0) continue;
    rows += fmt::format("{} {} {} {}\n", p.x, p.y, p.z, p.reflectance);
    ++kept;
  }
  std::ofstream(pcd) << fmt::format(
      "VERSION 0.7\nFIELDS x y z intensity\nSIZE 4 4 4 4\nTYPE F F F F\nCOUNT 1 1 1 1\nWIDTH {0}\n"
      "HEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS {0}\nDATA ascii\n{1}",
      kept, rows);
}

TEST(Fleet, AVehicleThatTakesAPavementIsToldOfTheRoad) {
  const TempDir folder;
  const kitti::FleetOptions options = street_fleet(5);
  kitti::write_fleet(options, folder / "fleet");
  fs::remove(folder / "fleet/2/000000.label");
  hide_road(options, 2, folder / "fleet/2/000000.pcd");
  const MomentRecord record = solve(config_of(folder / "fleet"));
  const VehicleRecord& vehicle = record.vehicles[2];
  EXPECT_GT(std::abs(vehicle.alone_height_m - 1.73), 0.03);
  EXPECT_TRUE(vehicle.helped);
  EXPECT_NEAR(vehicle.frame.plane.offset_m, 1.73, 0.01);
  EXPECT_NE(vehicle.frame.note.find("its scan alone shows a surface"), std::string::npos)
      << vehicle.frame.note;
  for (const VehicleRecord& each : record.vehicles) {
    EXPECT_FALSE(each.pose_doubted) << each.vehicle;
    EXPECT_LT(std::abs(error_of(each).height_m), 0.02) << each.vehicle;
  }
}

TEST(Fleet, MomentsAreTrackedForFewerBytes) {
  const TempDir folder;
  kitti::FleetOptions options = street_fleet(4);
  options.scene.frames = 5;
  options.height_noise_m = 0.1;  // of every moment anew: not all of them go on
  kitti::write_fleet(options, folder / "fleet");
  const FleetConfig config = config_of(folder / "fleet");
  const FleetPlan plan(config);
  const kitti::Fleet fleet = kitti::open_fleet(config.path);
  FleetTrack track(fleet.vehicles.size(), 1);
  int tracked = 0;
  double fresh_bytes = 0;
  double bytes = 0;
  for (const std::string& moment : moments_of_fleet(fleet, config, SingleProcess())) {
    const MomentRecord fresh = segment_moment(fleet, moment, plan, {});
    const MomentRecord record = segment_moment(fleet, moment, plan, {}, SingleProcess(), &track);
    EXPECT_FALSE(fresh.parts[0].tracked);
    tracked += record.parts[0].tracked ? 1 : 0;
    fresh_bytes += fresh.parts[0].bytes_per_vehicle;
    bytes += record.parts[0].bytes_per_vehicle;
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(record.vehicles[k].frame.plane.offset_m, fresh.vehicles[k].frame.plane.offset_m,
                  0.01);
      EXPECT_NEAR(record.vehicles[k].ground_z_m, fresh.vehicles[k].ground_z_m, 0.05) << moment;
    }
  }
  EXPECT_GE(tracked, 2);
  EXPECT_LT(bytes, fresh_bytes);
}

TEST(Fleet, AgentsOfOneVehicleSendNothingByRadio) {
  const TempDir folder;
  kitti::write_fleet(street_fleet(3), folder / "fleet");
  FleetConfig config = config_of(folder / "fleet");
  const MomentRecord one = solve(config);
  config.agents_per_vehicle = 4;
  const MomentRecord four = solve(config);
  EXPECT_EQ(four.parts[0].bytes_per_vehicle, one.parts[0].bytes_per_vehicle);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(four.vehicles[k].frame.plane.offset_m, one.vehicles[k].frame.plane.offset_m, 0.01);
    EXPECT_GT(four.vehicles[k].frame.inliers, 1000U);
  }
}

TEST(Fleet, OnHillsNeighboursPutTheirWrongPosesRight) {
  const TempDir folder;
  kitti::FleetOptions options = street_fleet(12);
  options.scene.hill = kitti::Hill::crest;
  options.height_noise_m = 0.2;
  options.tilt_noise_deg = 0.2;
  kitti::write_fleet(options, folder / "fleet");
  const MomentRecord record = solve(config_of(folder / "fleet"));
  const FleetErrors errors = errors_of(record);
  EXPECT_LT(errors.height_m.fleet, 0.38 * errors.height_m.alone);  // 0.44 as they first say it
  EXPECT_LT(record.parts[0].spread_m, 0.06);                       // 0.12
}

TEST(Fleet, RecordsComeBackFromTheirText) {
  const TempDir folder;
  kitti::write_fleet(street_fleet(3), folder / "fleet");
  const MomentRecord record = solve(config_of(folder / "fleet"));
  for (const VehicleRecord& vehicle : record.vehicles) {
    const auto json = to_json(vehicle);
    EXPECT_EQ(to_json(vehicle_record_from_json(json, "here")), json);
  }
  EXPECT_EQ(to_json(part_record_from_json(to_json(record.parts[0]))), to_json(record.parts[0]));
}

TEST(Fleet, FiveSensorsOfOneSceneAgreeOnTheRoad) {
  ROADPLANE_KITTI_OR_SKIP(kitti_folder);
  const fs::path path = kitti_folder.parent_path() / "lidar/fleet";
  if (!fs::exists(path)) GTEST_SKIP() << "no " << path;
  const MomentRecord record = solve(config_of(path));
  constexpr double kHeights[] = {4.00, 1.93, 1.93, 1.93, 1.93};  // one of them alone: 3.95
  for (std::size_t k = 0; k < 5; ++k) {
    const VehicleRecord& vehicle = record.vehicles[k];
    EXPECT_NEAR(vehicle.frame.plane.offset_m, kHeights[k], 0.02) << k;
    EXPECT_NEAR(vehicle.ground_z_m, 0, 0.02) << k;
  }
}

TEST(Fleet, FramesOfADriveAreAConvoyOfOneHeight) {
  ROADPLANE_KITTI_OR_SKIP(kitti_folder);
  const fs::path path = kitti_folder.parent_path() / "lidar/convoy/sequences/04";
  if (!fs::exists(path)) GTEST_SKIP() << "no " << path;
  FleetConfig config = config_of(path);
  config.members = "0,10,20,30,40";
  std::vector<double> alone;
  std::vector<double> together;
  for (const VehicleRecord& vehicle : solve(config).vehicles) {
    EXPECT_NEAR(vehicle.frame.plane.offset_m, 1.73, 0.1) << vehicle.vehicle;
    EXPECT_FALSE(vehicle.pose_doubted) << vehicle.vehicle;
    alone.push_back(vehicle.alone_height_m);
    together.push_back(vehicle.frame.plane.offset_m);
  }
  const auto range = [](const std::vector<double>& heights) {
    const auto [low, high] = std::minmax_element(heights.begin(), heights.end());
    return *high - *low;
  };
  EXPECT_LT(range(together), 0.7 * range(alone));
}

}  // namespace
}  // namespace roadplane
