// What the plane is worth on recordings of many sensors, none of which it was made for: how far it
// is off, whether its intervals hold, and where it is doubted.

#include "dpcp/recordings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "dpcp/shard_clouds.hpp"
#include "roadplane/dpcp/find_plane.hpp"
#include "roadplane/evaluation/plane_distance.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/evaluation/statistics.hpp"
#include "roadplane/geometry/plane.hpp"
#include "support/data.hpp"

namespace roadplane {
namespace {

using test::Recording;
constexpr double kDegrees = 180 / M_PI;
constexpr double kAnyError = 1;  ///< no plane has more

/// A set of labelled recordings and what its planes must be worth.
struct LabelledSet {
  const char* name;
  std::vector<const char*> folders;
  double median_error = kAnyError;  ///< recovery error of the worst agent
  double worst_error = kAnyError;
  double worst_deg = 5;
  double worst_m = 0.15;       ///< at the middle of the road's near points
  double suspect_share = 0;    ///< of the recordings
  double covered_share = 0.9;  ///< of the recordings, by the interval of the tilt
  PlaneSought sought = PlaneSought::lowest;

  std::vector<Recording> load(const std::filesystem::path& data) const {
    std::vector<Recording> labelled;
    for (const char* folder : folders) {
      for (Recording& one : test::recordings(data / folder)) {
        if (one.truth) labelled.push_back(std::move(one));
      }
    }
    return labelled;
  }
  friend void PrintTo(const LabelledSet& set, std::ostream* out) { *out << set.name; }
};

/// Where z = 0 is next to the road, the recovery error says little: degrees and metres do.
const std::vector<LabelledSet>& labelled_sets() {
  static const std::vector<LabelledSet> sets{
      {.name = "annotated",
       .folders = {"kitti/dpcp_annotations"},
       .worst_error = 4.5e-3,
       .sought = PlaneSought::dominant},
      {.name = "SemanticKITTI",
       .folders = {"kitti/odometry"},
       .median_error = 2.5e-3,
       .worst_error = 9e-3},
      {.name = "range images", .folders = {"kitti/range_images/00"}},
      {.name = "nuScenes", .folders = {"lidar/nuscenes"}, .worst_error = 8e-3},
      {.name = "Livox",
       .folders = {"lidar/livox/00", "lidar/livox/01", "lidar/livox/02", "lidar/livox/03",
                   "lidar/livox/04"},
       .worst_error = 1.8e-2},
      {.name = "PandaSet",
       .folders = {"lidar/pandaset/001", "lidar/pandaset/002"},
       .worst_deg = 0.71,
       .worst_m = 0.035,
       .suspect_share = 0.25,
       // Of 001/000000 even the minimiser on the labelled road alone is 0.62 degrees off.
       .covered_share = 0.85},
      {.name = "front VLP-32", .folders = {"lidar/front_vlp32"}, .worst_error = 1.2e-2}};
  return sets;
}

PlaneFit plane_of(const Scan& scan, const RobustOptions& options,
                  ShardKind kind = ShardKind::azimuth, int agents = test::kAgents) {
  const Network network(Graph::erdos_renyi(agents, 0.5, 1));
  LocalChannel channel(network);
  return find_plane(channel, test::shard_clouds(scan, kind, agents, columns_enough({}, agents)),
                    {VrsgtOptions{}, options});
}

double worst_error(const PlaneFit& fit, const Eigen::Vector4d& truth) {
  double worst = fit.w.empty() ? kAnyError : 0;
  for (const auto& w : fit.w) worst = std::max(worst, recovery_error(w, truth));
  return worst;
}

std::optional<PlaneDistance> distance(const PlaneFit& fit, const Recording& recording) {
  if (fit.w.empty()) return std::nullopt;
  return plane_distance(fit.w[0], *recording.truth,
                        middle_of_near_points(recording.scan, recording.mask));
}

class OfEverySet : public testing::TestWithParam<LabelledSet> {
 protected:
  void SetUp() override {
    ROADPLANE_KITTI_OR_SKIP(kitti_folder);
    frames_ = GetParam().load(kitti_folder.parent_path());
    if (frames_.empty()) GTEST_SKIP() << "no " << GetParam().name << " beside kitti/";
  }
  /// So many of them.
  double frames(double share = 1) const { return share * static_cast<double>(frames_.size()); }

  std::vector<Recording> frames_;
};

std::string name_of(const testing::TestParamInfo<LabelledSet>& info) {
  std::string name;
  for (const char* c = info.param.name; *c != '\0'; ++c) {
    if (std::isalnum(static_cast<unsigned char>(*c)) != 0) name += *c;
  }
  return name;
}

TEST_P(OfEverySet, ThePlaneIsExactAndTrusted) {
  const LabelledSet& set = GetParam();
  std::vector<double> errors;
  std::string suspects;
  int suspect = 0;
  for (const Recording& frame : frames_) {
    const PlaneFit fit = plane_of(frame.scan, {.sought = set.sought});
    errors.push_back(worst_error(fit, *frame.truth));
    EXPECT_LE(errors.back(), set.worst_error) << frame.name;
    const auto off = distance(fit, frame);
    ASSERT_TRUE(off) << frame.name;
    EXPECT_LE(off->angle_deg, set.worst_deg) << frame.name;
    EXPECT_LE(off->height_m, set.worst_m) << frame.name;
    if (!fit.finding.suspect()) continue;
    ++suspect;
    suspects += frame.name + ": " + fit.finding.note() + "\n";
  }
  EXPECT_LE(spread_of(errors)->median, set.median_error);
  EXPECT_LE(suspect, frames(set.suspect_share)) << suspects;
}

TEST_P(OfEverySet, NoPlaneIsWrongWhateverTheShardsAndAgents) {
  std::ostringstream wrong;
  for (const Recording& frame : frames_) {
    for (const int agents : {1, 4, 16, 64}) {
      for (const ShardKind kind :
           {ShardKind::azimuth, ShardKind::contiguous, ShardKind::interleaved, ShardKind::random}) {
        const PlaneFit fit = plane_of(frame.scan, {.sought = GetParam().sought}, kind, agents);
        const auto off = distance(fit, frame);
        if (off && !off->far_apart()) continue;
        wrong << frame.name << ", " << agents << " agents, " << to_string(kind) << ": "
              << (off ? off->angle_deg : NAN) << " deg, " << (off ? off->height_m : NAN) << " m\n";
      }
    }
  }
  EXPECT_EQ(wrong.str(), "");
}

bool holds(const std::optional<Interval>& interval, double value) {
  return interval && interval->low <= value && value <= interval->high;
}

TEST_P(OfEverySet, TheIntervalsHoldTheTruthOnNineOfTen) {
  int heights = 0;
  int tilts = 0;
  for (const Recording& frame : frames_) {
    const Finding finding = plane_of(frame.scan, {.sought = GetParam().sought}).finding;
    const auto truth = Plane::from_hyperplane(*frame.truth);
    heights += holds(finding.height_m, truth->offset_m) ? 1 : 0;
    tilts += holds(finding.tilt_deg, std::acos(truth->normal.z()) * kDegrees) ? 1 : 0;
  }
  EXPECT_GE(heights, frames(0.9)) << "of " << frames();
  EXPECT_GE(tilts, frames(GetParam().covered_share)) << "of " << frames();
}

INSTANTIATE_TEST_SUITE_P(Recordings, OfEverySet, testing::ValuesIn(labelled_sets()), name_of);

std::optional<Recording> recording(const std::filesystem::path& folder, const std::string& name) {
  for (Recording& one : test::recordings(folder)) {
    if (one.name.find(name) != std::string::npos) return std::move(one);
  }
  return std::nullopt;
}

TEST(Recordings, AnnotatedFrame221IsAsExactAsItsAnnotation) {
  ROADPLANE_KITTI_OR_SKIP(kitti_folder);
  const auto frame = recording(kitti_folder / "dpcp_annotations", "0221");
  if (!frame) GTEST_SKIP() << "no kitti/dpcp_annotations in ROADPLANE_DATA";
  const PlaneFit fit = plane_of(frame->scan, {.sought = PlaneSought::dominant});
  EXPECT_LE(worst_error(fit, *frame->truth), 1e-3);
}

/// Two sensors of a car look sideways and down.
TEST(Recordings, ASensorTiltedByHalfARightAngleFindsTheFloorIfItMay) {
  ROADPLANE_KITTI_OR_SKIP(kitti_folder);
  const auto folder = kitti_folder / "../lidar/three_lidars";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no lidar/three_lidars beside kitti/";
  RobustOptions options;
  options.prior.max_tilt_deg = 60;
  for (const char* side : {"left", "right"}) {
    const auto frame = recording(folder, side);
    ASSERT_TRUE(frame) << side;
    const PlaneFit fit = plane_of(frame->scan, options);
    ASSERT_FALSE(fit.w.empty()) << side;
    const auto plane = Plane::from_hyperplane(fit.w[0]);
    EXPECT_NEAR(plane->offset_m, 1.65, 0.15) << side;
    EXPECT_NEAR(std::acos(plane->normal.z()) * kDegrees, 45, 3) << side;
    EXPECT_EQ(fit.finding.mounting, Mounting::expected) << side;
  }
}

TEST(Recordings, AFloorAtHeightZeroIsFound) {
  ROADPLANE_KITTI_OR_SKIP(kitti_folder);
  const auto frame = recording(kitti_folder / "../lidar/pcd", "patchwork");
  if (!frame) GTEST_SKIP() << "no lidar/pcd/patchwork_000000.pcd beside kitti/";
  const PlaneFit fit = plane_of(frame->scan, {});
  ASSERT_FALSE(fit.w.empty());
  const auto plane = Plane::from_hyperplane(fit.w[0]);
  EXPECT_LE(std::abs(plane->offset_m), 0.3);
  EXPECT_LE(std::acos(plane->normal.z()) * kDegrees, 5);
}

}  // namespace
}  // namespace roadplane
