#include "roadplane/kitti/synthetic/sequence.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "roadplane/base/input_error.hpp"
#include "roadplane/kitti/synthetic/scene.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;

class SyntheticSequence : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / (std::string("roadplane_synthetic_") + test->name());
    fs::remove_all(folder_);
    options_.points_per_frame = 3000;
    options_.frames = 2;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
  SceneOptions options_;
};

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

template <class Vector>
std::string bytes(const Vector& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0])};
}

std::set<std::string> files_below(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) names.insert(fs::relative(entry.path(), folder).string());
  }
  return names;
}

TEST_F(SyntheticSequence, WritesTheOdometryLayoutAndNothingElse) {
  std::vector<std::size_t> pictures;
  int progress = 0;
  options_.frames = 1;
  const fs::path sequence = write_sequence(
      options_, folder_,
      [&](const fs::path& path, const RgbImage& image) {
        EXPECT_EQ(path.extension(), ".png");
        pictures.push_back(image.rgb.size());
        std::ofstream(path) << "picture";
      },
      [&](int done, int total) { progress += 10 * total + done; });
  EXPECT_EQ(sequence, folder_ / "sequences" / "00");
  EXPECT_EQ(files_below(sequence),
            (std::set<std::string>{"calib.txt", "image_2/000000.png", "labels/000000.label",
                                   "planes.json", "times.txt", "velodyne/000000.bin"}));
  EXPECT_EQ(pictures, std::vector<std::size_t>{std::size_t{3} * 1241 * 376});
  EXPECT_EQ(progress, 11);
}

TEST_F(SyntheticSequence, RereadIsIdentical) {
  const fs::path sequence = write_sequence(options_, folder_, {});
  EXPECT_FALSE(fs::exists(sequence / "image_2"));
  const SyntheticScene scene(options_);
  for (const int index : {0, 1}) {
    const SyntheticFrame frame = scene.frame(index);
    const std::string name = "00000" + std::to_string(index);
    EXPECT_EQ(content(sequence / "velodyne" / (name + ".bin")), bytes(frame.points));
    EXPECT_EQ(content(sequence / "labels" / (name + ".label")), bytes(frame.labels));
  }
  std::istringstream times(content(sequence / "times.txt"));
  double first = -1;
  double second = -1;
  times >> first >> second;
  EXPECT_EQ(first, 0);
  EXPECT_EQ(second, 0.1);
}

TEST_F(SyntheticSequence, PlanesKeepFullPrecision) {
  const fs::path sequence = write_sequence(options_, folder_, {});
  const std::string text = content(sequence / "planes.json");
  const SyntheticScene scene(options_);
  for (const int index : {0, 1}) {
    const std::string key = "\"00000" + std::to_string(index) + "\": ";
    const auto at = text.find(key);
    ASSERT_NE(at, std::string::npos) << text;
    double x = 0;
    double y = 0;
    double z = 0;
    double offset = 0;
    ASSERT_EQ(std::sscanf(text.c_str() + at + key.size(),
                          "{\"normal\": [%lf, %lf, %lf], \"offset_m\": %lf}", &x, &y, &z, &offset),
              4);
    const Plane road = scene.frame(index).road;
    EXPECT_EQ(Eigen::Vector3d(x, y, z), road.normal);
    EXPECT_EQ(offset, road.offset_m);
  }
}

TEST_F(SyntheticSequence, CalibrationRoundTrips) {
  const fs::path sequence = write_sequence(options_, folder_, {});
  std::istringstream in(content(sequence / "calib.txt"));
  const SyntheticCalibration calibration = SyntheticScene::calibration();
  std::vector<std::string> keys;
  std::string key;
  while (in >> key) {
    keys.push_back(key);
    Eigen::Matrix<double, 3, 4> m;
    for (int i = 0; i < 12; ++i) ASSERT_TRUE(in >> m(i / 4, i % 4)) << key;
    if (key == "P2:") {
      EXPECT_EQ(m, calibration.p2);
    }
    if (key == "Tr:") {
      EXPECT_EQ(m, calibration.tr);
    }
  }
  EXPECT_EQ(keys, (std::vector<std::string>{"P0:", "P1:", "P2:", "P3:", "Tr:"}));
}

TEST_F(SyntheticSequence, RefusesAFolderWithFilesInIt) {
  fs::create_directories(folder_);
  EXPECT_NO_THROW(write_sequence(options_, folder_, {})) << "an empty folder is fine";
  const auto before = files_below(folder_);
  EXPECT_THROW(write_sequence(options_, folder_, {}), InputError);
  EXPECT_THROW(write_sequence(options_, folder_ / "sequences" / "00" / "calib.txt", {}),
               InputError);
  EXPECT_EQ(files_below(folder_), before);
}

TEST_F(SyntheticSequence, BadOptionsLeaveNoTrace) {
  options_.frames = 0;
  EXPECT_THROW(write_sequence(options_, folder_, {}), InputError);
  EXPECT_FALSE(fs::exists(folder_));
}

}  // namespace
}  // namespace roadplane::kitti
