// The plane follows its cloud: where the origin is, which way is forward, how many points there are
// and their noise must not matter. bench/plane_study --metamorphic does the same on all recordings.

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "cloud_changes.hpp"
#include "dpcp/recordings.hpp"
#include "dpcp/shard_clouds.hpp"
#include "roadplane/dpcp/find_plane.hpp"
#include "roadplane/kitti/synthetic/scene.hpp"
#include "support/data.hpp"

namespace roadplane {
namespace {

using plane_study::CloudChange;
using test::Recording;

std::optional<Eigen::Vector4d> plane_in(const Scan& scan) {
  static const Network network(Graph::erdos_renyi(test::kAgents, 0.5, 1));
  LocalChannel channel(network);
  const PlaneFit fit = find_plane(channel,
                                  test::shard_clouds(scan, ShardKind::azimuth, test::kAgents,
                                                     columns_enough({}, test::kAgents)),
                                  {});
  return fit.w.empty() ? std::nullopt : std::optional(fit.w[0]);
}

/// Where the origin is must not matter at all. Where two floors are a kerb apart, other points may
/// still choose the other one: these go to `stray`.
void expect_plane_follows(const Recording& recording, std::vector<std::string>& stray) {
  const auto before = plane_in(recording.scan);
  ASSERT_TRUE(before) << recording.name;
  const Eigen::Vector3d place = middle_of_near_points(recording.scan, recording.mask);
  for (const CloudChange& change : plane_study::cloud_changes()) {
    const auto after = plane_in(change.of(recording.scan));
    ASSERT_TRUE(after) << recording.name << ", " << change.name;
    const auto moved = change.moved(*before, *after, place);
    if (plane_study::has_followed(moved)) continue;
    std::ostringstream what;
    what << recording.name << ", " << change.name << ": " << moved->angle_deg << " deg, "
         << 100 * moved->height_m << " cm\n";
    if (std::string(change.name).starts_with("z")) ADD_FAILURE() << what.str();
    stray.push_back(what.str());
  }
}

std::string lines_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

TEST(CloudChanges, MoveAPlaneWithItsPoints) {
  const Eigen::Vector4d plane(0.02, -0.01, 1, 1.7);
  const Scan scan{{10, 2, -1.88F, 0.5F}, {0, 0, 0, 0.25F}, {3, -4, -1.8F, 0}, {5, 5, -1.75F, 0}};
  for (const CloudChange& change : plane_study::cloud_changes()) {
    const Scan changed = change.of(scan);
    ASSERT_EQ(changed.size(), change.every == 1 ? 4U : 2U);
    const Point& p = changed[0];
    const Eigen::Vector4d moved = change.of(plane) / change.of(plane).head<3>().norm();
    EXPECT_NEAR(moved.dot(Eigen::Vector4d(p.x, p.y, p.z, 1)), 0, change.noise_m > 0 ? 0.1 : 1e-5);
    EXPECT_EQ(p.reflectance, 0.5F);
    if (change.every == 1) {
      EXPECT_EQ(changed[1], scan[1]) << "a missing return, " << change.name;
    }
    EXPECT_TRUE(plane_study::has_followed(change.moved(plane, change.of(plane), {10, 0, 0})));
  }
}

TEST(Metamorphic, ThePlaneOfAStreetFollowsItsPoints) {
  const std::pair<const char*, kitti::SceneOptions> kStreets[] = {
      {"plain", {}},
      {"70 % outliers", {.outlier_share = 0.7}},
      {"85 % outliers", {.outlier_share = 0.85}},
      {"second plane", {.second_plane_share = 0.25}},
      {"slopes", {.slope_deg = 6, .cross_slope_deg = 3}}};
  std::vector<std::string> stray;
  for (const auto& [name, options] : kStreets) {
    kitti::SyntheticFrame frame = kitti::SyntheticScene(options).frame(0);
    expect_plane_follows({name, std::move(frame.points), frame.road.hyperplane(),
                          ClassSet::road().mask(frame.labels)},
                         stray);
  }
  EXPECT_LE(stray.size(), 5U) << lines_of(stray);  // of 60
}

/// Of every sensor, and of consecutive frames a few.
TEST(Metamorphic, ThePlaneOfARecordingFollowsItsPoints) {
  ROADPLANE_KITTI_OR_SKIP(kitti_folder);
  constexpr struct {
    const char* folder;
    std::size_t every;
  } kSome[] = {{"kitti/odometry/sequences/00", 1},
               {"kitti/odometry/sequences/04", 3},
               {"kitti/odometry/sequences/08", 1},
               {"kitti/raw/2011_09_26", 4},
               {"kitti/object/training", 1},
               {"kitti/road", 1},
               {"kitti/range_images/00", 5},
               {"lidar/convoy", 2},
               {"lidar/fleet", 2},
               {"lidar/front_vlp32", 3},
               {"lidar/livox/00", 2},
               {"lidar/livox/01", 2},
               {"lidar/livox/02", 2},
               {"lidar/livox/03", 2},
               {"lidar/livox/04", 2},
               {"lidar/nuscenes", 4},
               {"lidar/pandaset/001", 1},
               {"lidar/pandaset/002", 1},
               {"lidar/pcd", 1}};
  std::vector<std::string> stray;
  for (const auto& [folder, every] : kSome) {
    const auto all = test::recordings(kitti_folder / ".." / folder);
    for (std::size_t k = 0; k < all.size(); k += every) expect_plane_follows(all[k], stray);
  }
  EXPECT_LE(stray.size(), 10U) << lines_of(stray);
}

}  // namespace
}  // namespace roadplane
