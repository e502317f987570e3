#include <gtest/gtest.h>

#include "recordings/samples.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "roadplane/kitti/recorded_camera.hpp"
#include "roadplane/kitti/static_transforms.hpp"
#include "support/input_error.hpp"
#include "support/random_data.hpp"
#include "support/temp_dir.hpp"

namespace roadplane::test {
namespace {

constexpr std::int64_t kTime = kFirstStampNs;
using Pose = std::array<double, 7>;  // x y z of the place, x y z w of the turn

ByteVector bytes_of(const kitti::CdrWriter& out) {
  return {out.bytes().begin(), out.bytes().end()};
}

struct Camera {
  std::string encoding = "rgb8";
  std::uint32_t step = 12;
  std::vector<std::uint8_t> pixels = std::vector<std::uint8_t>(36, 7);  ///< 4 x 3
  std::string model = "plumb_bob";
  std::vector<double> d{0, 0, 0, 0, 0};
  std::array<double, 9> r{1, 0, 0, 0, 1, 0, 0, 0, 1};
  std::int64_t picture_ns = kTime;
  /// From the optical frame (z ahead) to base, and from the LiDAR to base.
  std::vector<std::tuple<std::string, std::string, Pose>> transforms{
      {"base", "optical", {0.5, 0, 1.5, -0.5, 0.5, -0.5, 0.5}},
      {"base", "lidar", {0, 0, 2, 0, 0, 0, 1}}};

  ByteVector picture() const {
    kitti::CdrWriter out;
    out.header(picture_ns, "optical").value(std::uint32_t{3}).value(std::uint32_t{4});
    out.text(encoding).value(std::uint8_t{0}).value(step);
    out.value(static_cast<std::uint32_t>(pixels.size())).raw(std::as_bytes(std::span(pixels)));
    return bytes_of(out);
  }
  ByteVector info() const {
    kitti::CdrWriter out;
    out.header(picture_ns, "optical").value(std::uint32_t{3}).value(std::uint32_t{4}).text(model);
    out.value(static_cast<std::uint32_t>(d.size()));
    for (const double each : d) out.value(each);
    for (const double each : {100., 0., 2., 0., 110., 1.5, 0., 0., 1.}) out.value(each);
    for (const double each : r) out.value(each);
    for (const double each : {90., 0., 2., 0., 0., 95., 1.5, 0., 0., 0., 1., 0.}) out.value(each);
    return bytes_of(out);
  }
  ByteVector tree() const {
    kitti::CdrWriter out;
    out.value(static_cast<std::uint32_t>(transforms.size()));
    for (const auto& [parent, child, pose] : transforms) {
      out.header(kTime, parent).text(child);
      for (const double each : pose) out.value(each);
    }
    return bytes_of(out);
  }

  std::filesystem::path write(const std::filesystem::path& path) const {
    const std::vector<SampleTopic> topics{{"/points"},
                                          {"/cam/image_raw", "sensor_msgs/Image"},
                                          {"/cam/camera_info", "sensor_msgs/CameraInfo"},
                                          {"/tf_static", "tf2_msgs/TFMessage"}};
    const SampleCloud cloud = SampleCloud::of(random_scan(20, 1), kTime);
    return write_bytes(path, sample_mcap(topics, {{0, kTime, cloud.cdr()},
                                                  {1, picture_ns, picture()},
                                                  {2, kTime, info()},
                                                  {3, kTime, tree()}}));
  }
  std::optional<kitti::RecordedCamera> found(const TempDir& dir) const {
    const kitti::Dataset dataset = kitti::open_dataset(write(dir / "camera.mcap"));
    return kitti::RecordedCamera::of(*dataset.frames.at(0).recorded);
  }
};

TEST(RecordedCamera, TransformsLeadFromTheLidarToThePixels) {
  const TempDir dir;
  Camera sample;
  sample.transforms.emplace_back("lidar", "base", Pose{9, 9, 9, 0, 0, 0, 1});  // a cycle
  const auto camera = sample.found(dir);
  ASSERT_TRUE(camera);
  EXPECT_EQ(camera->topic(), "/cam/image_raw");
  // 10.5 m ahead of base is 10 m ahead of the camera; 1 m to the left; 0.5 m above the camera.
  const auto pixel = camera->projection()({10.5F, 1, 0, 0});
  ASSERT_TRUE(pixel);
  EXPECT_NEAR(pixel->u, 2 - 90 * 1 / 10.0, 1e-9);
  EXPECT_NEAR(pixel->v, 1.5 - 95 * 0.5 / 10.0, 1e-9);
  EXPECT_NEAR(pixel->depth_m, 10, 1e-9);
}

TEST(StaticTransforms, LeadToTheFrameThatHoldsAllOthers) {
  const TempDir dir;
  Camera camera;
  camera.transforms.emplace_back("/base", "/mast", Pose{1, 2, 3, 0, 0, 0, 1});
  camera.transforms.emplace_back("mast", "rear", Pose{0, 0, 1, 0, 0, 1, 0});
  camera.transforms.emplace_back("loop", "hole", Pose{0, 0, 0, 0, 0, 0, 1});
  camera.transforms.emplace_back("hole", "loop", Pose{0, 0, 0, 0, 0, 0, 1});
  const kitti::Recording recording(camera.write(dir / "a.mcap"));
  const kitti::StaticTransforms transforms(recording);
  EXPECT_EQ(transforms.root_of("/rear"), "base");
  EXPECT_EQ(transforms.root_of("elsewhere"), "elsewhere");
  transforms.root_of("loop");  // ends
  const auto to_base = transforms.between("rear", "/base");
  ASSERT_TRUE(to_base);
  EXPECT_TRUE((*to_base * Eigen::Vector3d(5, 0, 0)).isApprox(Eigen::Vector3d(-4, 2, 4)));
  EXPECT_TRUE((*transforms.between("rear", "lidar") * Eigen::Vector3d(5, 0, 0))
                  .isApprox(Eigen::Vector3d(-4, 2, 2)));
  EXPECT_FALSE(transforms.between("rear", "loop"));
}

TEST(RecordedCamera, ALensIsThatOfOpenCv) {
  const TempDir dir;
  Camera sample;
  sample.d = {-0.2, 0.05, 0.001, -0.002, 0.01};
  const auto camera = sample.found(dir);
  ASSERT_TRUE(camera && camera->lens());
  // By hand: x = 0.1, y = -0.2, r^2 = 0.05.
  const double radial = 1 - 0.2 * 0.05 + 0.05 * 0.0025 + 0.01 * 0.000125;
  const Eigen::Vector2d at = camera->lens()->distorted({0.1, -0.2});
  EXPECT_NEAR(at.x(), 0.1 * radial + 2 * 0.001 * -0.02 - 0.002 * (0.05 + 0.02), 1e-12);
  EXPECT_NEAR(at.y(), -0.2 * radial + 0.001 * (0.05 + 0.08) + 2 * -0.002 * -0.02, 1e-12);
  const Eigen::Vector2d source = camera->lens()->pixel_of(
      camera->lens()->to_ray() * Eigen::Vector3d(2 + 90 * 0.1, 1.5 - 95 * 0.2, 1));
  EXPECT_NEAR(source.x(), 2 + 100 * at.x(), 1e-9);
  EXPECT_NEAR(source.y(), 1.5 + 110 * at.y(), 1e-9);
}

TEST(RecordedCamera, PixelsOfAllEncodingsAreRead) {
  const TempDir dir;
  const auto first_pixel = [&](const std::string& encoding, std::uint32_t step,
                               std::vector<std::uint8_t> start) {
    Camera sample;
    sample.encoding = encoding;
    sample.step = step;
    sample.pixels.assign(std::size_t{3} * step, 9);
    std::copy(start.begin(), start.end(), sample.pixels.begin());
    const RgbImage image = sample.found(dir)->picture()->image;
    EXPECT_EQ(image.width, 4);
    EXPECT_EQ(image.height, 3);
    return std::vector<int>(image.rgb.begin(), image.rgb.begin() + 3);
  };
  EXPECT_EQ(first_pixel("rgb8", 12, {1, 2, 3}), (std::vector{1, 2, 3}));
  EXPECT_EQ(first_pixel("bgr8", 16, {1, 2, 3}), (std::vector{3, 2, 1}));
  EXPECT_EQ(first_pixel("bgra8", 16, {1, 2, 3}), (std::vector{3, 2, 1}));
  EXPECT_EQ(first_pixel("mono8", 4, {5}), (std::vector{5, 5, 5}));
  EXPECT_EQ(first_pixel("mono16", 8, {5, 6}), (std::vector{6, 6, 6}));
  EXPECT_EQ(first_pixel("bayer_rggb8", 4, {40, 20}), (std::vector{40, 14, 9}));
}

TEST(RecordedCamera, WithoutATransformOrAPictureInTimeThereIsNone) {
  const TempDir dir;
  Camera alone;
  alone.transforms.pop_back();
  EXPECT_FALSE(alone.found(dir));
  Camera late;
  late.picture_ns += 300'000'000;
  EXPECT_FALSE(late.found(dir)->picture());
}

TEST(RecordedCamera, WhatCannotBeIsOneLine) {
  const TempDir dir;
  Camera fisheye;
  fisheye.model = "equidistant";
  expect_one_line([&] { fisheye.found(dir); }, (dir / "camera.mcap").string(), "equidistant");
  Camera cut;
  cut.pixels.resize(35);
  expect_one_line([&] { cut.found(dir)->picture(); }, (dir / "camera.mcap").string(), "35 bytes");
  Camera lying;
  lying.step = 11;
  expect_one_line([&] { lying.found(dir)->picture(); }, (dir / "camera.mcap").string(), "11");
  Camera unknown;
  unknown.encoding = "yuv422";
  expect_one_line([&] { unknown.found(dir)->picture(); }, (dir / "camera.mcap").string(), "yuv422");
}

TEST(RecordedCamera, PicturesOfDistancesAreNone) {
  const TempDir dir;
  for (const char* encoding : {"16UC1", "32FC1"}) {
    Camera depth;
    depth.encoding = encoding;
    EXPECT_FALSE(depth.found(dir)) << encoding;
  }
}

}  // namespace
}  // namespace roadplane::test
