#include "roadplane/kitti/ground_truth.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "plane_file.hpp"
#include "reference_plane.hpp"
#include "roadplane/geometry/plane.hpp"
#include "roadplane/kitti/cloud_file.hpp"
#include "support/data.hpp"
#include "support/input_error.hpp"
#include "support/temp_dir.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;
using test::expect_one_line;
using test::TempDir;

double recovery_error(const Eigen::Vector4d& a, const Eigen::Vector4d& b) {
  return std::sqrt(std::max(0.0, 1 - std::pow(a.dot(b), 2)));
}

void expect_plane(const Eigen::Vector4d& w, const Eigen::Vector3d& normal, double offset_m,
                  double tolerance) {
  const auto plane = Plane::from_hyperplane(w);
  ASSERT_TRUE(plane);
  EXPECT_NEAR((plane->normal - normal).cwiseAbs().maxCoeff(), 0, tolerance);
  EXPECT_NEAR(plane->offset_m, offset_m, tolerance);
}

/// 400 points of a flat road 1.5 m below the sensor, then 200 of uneven walls 6 m to either side.
Scan street() {
  Scan scan;
  for (int k = 0; k < 400; ++k) {
    const auto column = static_cast<float>(k % 40);
    const auto row = static_cast<float>(k / 40);
    scan.push_back({column - 19.5F, row - 4.5F, -1.5F, 0});
  }
  for (int k = 0; k < 200; ++k) {
    const auto height = static_cast<float>((k * 37) % 101) / 30 - 1.2F;
    const auto depth = static_cast<float>((k * 53) % 17) / 10;
    const auto along = static_cast<float>((k * 29) % 199) / 5 - 20;
    scan.push_back({along, k % 2 == 0 ? -6 - depth : 6 + depth, height, 0});
  }
  return scan;
}

Frame annotated(const fs::path& kitti, const std::string& number) {
  Frame frame;
  frame.annotation = kitti / "dpcp_annotations/09_29_071" / ("29_071_0" + number + "_data.mat");
  frame.scan = *frame.annotation;
  return frame;
}

TEST(GroundTruth, OfTheAnnotatedFramesIsTheKnownPlane) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  const Scan scan328 = load_scan(annotated(kitti, "328"));
  const auto truth328 = load_ground_truth(annotated(kitti, "328"), scan328);
  ASSERT_TRUE(truth328);
  expect_plane(truth328->hyperplane, {-0.01650, 0.00529, 0.99985}, 1.73262, 1e-4);
  EXPECT_EQ(truth328->source, "annotation");
  EXPECT_EQ(truth328->mask.size(), scan328.size());
  const Scan scan221 = load_scan(annotated(kitti, "221"));
  const auto truth221 = load_ground_truth(annotated(kitti, "221"), scan221);
  ASSERT_TRUE(truth221);
  expect_plane(truth221->hyperplane, {-0.01651, 0.02255, 0.99961}, 1.68785, 1e-4);

  EXPECT_NEAR(recovery_error(reference_truth(scan221, "221").hyperplane, truth221->hyperplane),
              3e-4, 1e-4);
  EXPECT_NEAR(recovery_error(reference_truth(scan328, "328").hyperplane, truth328->hyperplane),
              6.7e-3, 1e-4);
}

TEST(GroundTruth, TheReferenceOfARawFrameIsTheKnownPlane) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  const Scan scan = read_scan(kitti /
                              "raw/2011_09_26/2011_09_26_drive_0005_sync/velodyne_points/data/"
                              "0000000001.bin");
  const GroundTruth truth = reference_truth(scan, "frame 1");
  expect_plane(truth.hyperplane, {-0.01346, 0.00332, 0.99990}, 1.78395, 2e-3);
  EXPECT_EQ(truth.source, "reference");
  EXPECT_TRUE(truth.mask.empty());
}

TEST(GroundTruth, OfARealLabelIsARoadBelowTheSensor) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  Frame frame;
  frame.scan = kitti / "odometry/sequences/00/velodyne/000000.bin";
  frame.label = kitti / "odometry/sequences/00/labels/000000.label";
  const Scan scan = load_scan(frame);
  const auto road = load_ground_truth(frame, scan);
  ASSERT_TRUE(road);
  expect_plane(road->hyperplane, {0, 0, 1}, 1.73, 0.1);
  EXPECT_EQ(road->source, "label:road");
  const auto ground = load_ground_truth(frame, scan, ClassSet::parse("ground"));
  EXPECT_EQ(ground->source, "label:ground");
  EXPECT_GT(std::accumulate(ground->mask.begin(), ground->mask.end(), 0),
            std::accumulate(road->mask.begin(), road->mask.end(), 0));
  EXPECT_LT(recovery_error(reference_truth(scan, "0").hyperplane, road->hyperplane), 0.02);
}

TEST(GroundTruth, ComesFromTheLabelThenExactlyFromThePlaneFile) {
  const TempDir dir;
  const Scan scan = street();
  Labels labels(scan.size(), 50);
  std::fill_n(labels.begin(), 400, 40);
  write_labels(dir / "7.label", labels);
  Frame frame;
  frame.scan = dir / "7.bin";
  EXPECT_FALSE(load_ground_truth(frame, scan));
  frame.label = dir / "7.label";
  const auto labelled = load_ground_truth(frame, scan);
  ASSERT_TRUE(labelled);
  expect_plane(labelled->hyperplane, {0, 0, 1}, 1.5, 1e-5);
  frame.plane_file =
      dir.write("planes.json", R"({"frames": {"7": {"normal": [0, 0, 1], "offset_m": 1.4}}})");
  const auto exact = load_ground_truth(frame, scan);
  ASSERT_TRUE(exact);
  expect_plane(exact->hyperplane, {0, 0, 1}, 1.4, 1e-12);
  EXPECT_EQ(exact->source, "plane file");
  EXPECT_EQ(exact->mask, labelled->mask);
  frame.scan = dir / "8.bin";  // not in the plane file: the label serves
  EXPECT_EQ(load_ground_truth(frame, scan)->source, "label:road");
}

TEST(GroundTruth, ALabelWithoutRoadIsExplained) {
  const TempDir dir;
  const Scan scan = street();
  write_labels(dir / "7.label", Labels(scan.size(), 50));
  Frame frame;
  frame.label = dir / "7.label";
  expect_one_line([&] { load_ground_truth(frame, scan); }, frame.label->string(),
                  "0: no usable point");
  expect_one_line([&] { load_ground_truth(frame, PointSpan(scan).first(3)); },
                  frame.label->string(), "600");
}

TEST(ReferencePlane, FindsTheRoadBetweenTheWalls) {
  const Scan scan = street();
  expect_plane(reference_truth(scan, "street").hyperplane, {0, 0, 1}, 1.5, 1e-3);
}

TEST(ReferencePlane, AScanWithoutAPlaneIsExplained) {
  expect_one_line([] { reference_truth({}, "here"); }, "here", "0 usable of 0");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Scan bad(20, Point{nan, 1, 2, 0});
  expect_one_line([&] { reference_truth(bad, "here"); }, "here", "0 usable of 20");
  HomogeneousCloud cloud;
  cloud.assign(Scan(20, Point{1, 2, 3, 0}));
  EXPECT_FALSE(reference_plane(cloud));
}

TEST(PlaneFile, TheThreeKindsGiveTheSameHyperplane) {
  const Eigen::Vector4d expected = Eigen::Vector4d(0, 0.6, 0.8, 2).normalized();
  for (const char* text :
       {R"({"normal": [0, 0.6, 0.8], "offset_m": 2})", R"({"w": [0, -3, -4, -10]})",
        R"({"frames": {"000001": {"w": [0, 3, 4, 10]}, "000002": {"w": [0, 0, 1, 1]}}})"}) {
    const auto w = decode_plane(text, "000001", "here");
    ASSERT_TRUE(w);
    EXPECT_NEAR((*w - expected).norm(), 0, 1e-15) << text;
  }
  EXPECT_FALSE(decode_plane(R"({"frames": {}})", "000001", "here"));
}

TEST(PlaneFile, BadFilesAreExplainedInOneLine) {
  const auto check = [](const char* text, const char* found) {
    expect_one_line([&] { decode_plane(text, "7", "here"); }, "here", found);
  };
  check("", "not JSON");
  check("{", "not JSON");
  check("[1, 2]", "[1,2]");
  check("{}", "{}");
  check(R"({"normal": [0, 0, 1]})", "normal");
  check(R"({"normal": [0, 1], "offset_m": 1})", "[0,1]");
  check(R"({"normal": [0, 0, "up"], "offset_m": 1})", "\"up\"");
  check(R"({"w": [0, 0, 0, 1]})", "[0,0,0,1]");
  check(R"({"frames": []})", "[]");
  check(R"({"frames": {"7": 3}})", "3");
  const TempDir dir;
  expect_one_line([&] { read_plane(dir / "none", "7"); }, (dir / "none").string(), "no such file");
}

}  // namespace
}  // namespace roadplane::kitti
