#include "roadplane/pipeline/score_road.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "roadplane/kitti/label_file.hpp"
#include "roadplane/kitti/scan_file.hpp"
#include "roadplane/viz/image_file.hpp"
#include "support/data.hpp"
#include "support/input_error.hpp"
#include "support/temp_dir.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;

constexpr double kFocalPx = 700, kCentreU = 600, kCentreV = 180, kHeightM = 1.7;

constexpr const char* kCalibration =
    "P2: 700 0 600 0 0 700 180 0 0 0 1 0\nR0_rect: 1 0 0 0 1 0 0 0 1\n"
    "Tr_velo_to_cam: 0 -1 0 0 0 0 -1 0 1 0 0 0\n"
    "Tr_cam_to_road: 1 0 0 0 0 1 0 -1.7 0 0 1 0\n";

/// 6 m to the right of the sensor, 2 m to its left.
bool is_road(double left_m) { return left_m > -6 && left_m < 2; }

/// Two frames of a flat road, seen by a camera at the scanner's place.
class ScoreRoad : public testing::Test {
 protected:
  ScoreRoad() {
    fs::create_directories(folder_ / "road");
    for (const char* name : {"um_000000", "uu_000000"}) {
      Scan scan;
      kitti::Labels labels;
      for (int row = 0; row < 230; ++row) {
        for (int column = -60; column <= 60; ++column) {
          const float x = 4 + 0.2F * static_cast<float>(row);
          const float y = 0.2F * static_cast<float>(column);
          scan.push_back({x, y, -static_cast<float>(kHeightM), 0.3F});
          labels.push_back(is_road(y) ? 40 : 0);
        }
      }
      kitti::write_scan(folder_ / "road" / (std::string(name) + ".bin"), scan);
      folder_.write(fs::path("road") / (std::string(name) + ".txt"), kCalibration);
      predict(name, labels);
    }
    viz::write_png(folder_ / "road/um_road_000000.png", truth());
    viz::write_png(folder_ / "road/uu_road_000000.png", truth());
  }

  void predict(const std::string& name, const kitti::Labels& labels) const {
    fs::create_directories(folder_ / "labels");
    kitti::write_labels(folder_ / "labels" / (name + ".label"), labels);
  }

  static RgbImage truth() {
    RgbImage image{1200, 370, std::vector<std::uint8_t>(std::size_t{3} * 1200 * 370)};
    for (int v = static_cast<int>(kCentreV) + 1; v < image.height; ++v) {
      for (int u = 0; u < image.width; ++u) {
        const double ahead_m = kFocalPx * kHeightM / (v - kCentreV);
        const double left_m = -(u - kCentreU) / kFocalPx * ahead_m;
        std::uint8_t* pixel =
            &image.rgb[3 * (static_cast<std::size_t>(v) * 1200 + static_cast<std::size_t>(u))];
        pixel[0] = 255;
        pixel[2] = is_road(left_m) ? 255 : 0;
      }
    }
    return image;
  }

  RoadScore score() const { return score_road({folder_ / "labels", folder_ / "road"}); }

  test::TempDir folder_;
};

TEST_F(ScoreRoad, RightLabelsAreRightOnAnyPartOfTheMap) {
  const RoadScore result = score();
  EXPECT_TRUE(result.problems.empty()) << result.problems.front();
  ASSERT_EQ(result.frames.size(), 2U);
  EXPECT_EQ(result.frames[0].kind, "um");
  EXPECT_EQ(result.frames[1].kind, "uu");
  EXPECT_GT(max_f(result.frames[0].counts).max_f, 0.97);
  EXPECT_GT(result.frames[0].counts.cells(), 280'000U) << "of 320000; some are beside the picture";
}

TEST_F(ScoreRoad, WhatIsMissedAndWhatIsFalseIsCounted) {
  const Scan scan = kitti::read_scan(folder_ / "road/um_000000.bin");
  kitti::Labels half, double_width;
  for (const Point& p : scan) {
    half.push_back(p.y > -2 && p.y < 2 ? 40 : 0);
    double_width.push_back(p.y > -10 && p.y < 6 ? 40 : 0);
  }
  predict("um_000000", half);
  predict("uu_000000", double_width);
  const RoadScore result = score();
  ASSERT_EQ(result.frames.size(), 2U);
  const MaxF missed = max_f(result.frames[0].counts), wrong = max_f(result.frames[1].counts);
  EXPECT_NEAR(missed.recall, 0.5, 0.05);
  EXPECT_GT(missed.precision, 0.95);
  EXPECT_NEAR(wrong.precision, 0.5, 0.06);
  EXPECT_GT(wrong.recall, 0.97);
}

TEST_F(ScoreRoad, AFrameThatCannotBeScoredIsNamedAndTheOtherOneIsScored) {
  const auto check = [&](const std::string& part) {
    const RoadScore result = score();
    ASSERT_EQ(result.frames.size(), 1U) << part;
    ASSERT_EQ(result.problems.size(), 1U) << part;
    EXPECT_NE(result.problems[0].find(part), std::string::npos) << result.problems[0];
    EXPECT_EQ(result.problems[0].find('\n'), std::string::npos);
  };
  const fs::path calibration = folder_ / "road/um_000000.txt";
  folder_.write("road/um_000000.txt", "P2: 1\nTr_velo_to_cam: 1\n");
  check(calibration.string() + ": expected P2 with 12 numbers");
  std::string singular = kCalibration;
  singular.replace(singular.find("1 0 0 0 0 1 0 -1.7"), 18, "0 0 0 0 0 1 0 -1.7");
  folder_.write("road/um_000000.txt", singular);
  check("expected Tr_cam_to_road with an inverse, found none");
  fs::remove(calibration);
  check("expected its calibration, with Tr_cam_to_road, found none");
  folder_.write("road/um_000000.txt", kCalibration);
  folder_.write("road/um_road_000000.png", "no picture");
  check("um_road_000000.png");
  fs::remove(folder_ / "road/um_road_000000.png");
  check("expected a truth of the road benchmark");
  fs::remove(folder_ / "labels/um_000000.label");
  check("a label file of frame road/um_000000");
}

TEST_F(ScoreRoad, LabelsWithoutAnyRoadAreSaidToHoldNoPlane) {
  predict("um_000000", kitti::Labels(230 * 121, 0));
  const RoadScore result = score();
  ASSERT_EQ(result.problems.size(), 1U);
  EXPECT_NE(result.problems[0].find("um_000000.label: expected road points"), std::string::npos)
      << result.problems[0];
}

TEST_F(ScoreRoad, TablesHaveEachFrameEachKindAndAll) {
  const RoadScore result = score();
  const std::string text = road_score_text(result, 20);
  for (const char* part : {"MaxF", "road/um_000000", "um, 1 frame", "urban, 2 frames"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
  const nlohmann::json j = to_json(result);
  EXPECT_EQ(j["sums"]["urban"]["frames"], 2);
  EXPECT_EQ(j["frames"][0]["name"], "road/um_000000");
  const std::string csv = road_score_csv(result);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 2 + 3);
}

}  // namespace
}  // namespace roadplane
