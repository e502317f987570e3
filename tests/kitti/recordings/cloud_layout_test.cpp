#include <gtest/gtest.h>

#include <limits>

#include "recordings/cloud_points.hpp"
#include "recordings/samples.hpp"
#include "support/input_error.hpp"
#include "support/random_data.hpp"

namespace roadplane::test {
namespace {

constexpr const char* kWhere = "cloud";

Scan decoded(const SampleCloud& cloud) {
  const ByteVector bytes = cloud.cdr();
  return kitti::points_of(kitti::read_cloud_message(bytes, "cdr", kWhere), {}, kWhere);
}

template <class T>
void put(SampleCloud& cloud, std::size_t at, T value, bool swap = false) {
  std::array<std::byte, sizeof(T)> bytes;
  std::memcpy(bytes.data(), &value, sizeof(T));
  if (swap) std::reverse(bytes.begin(), bytes.end());
  std::copy(bytes.begin(), bytes.end(), cloud.data.begin() + static_cast<std::ptrdiff_t>(at));
}

TEST(CloudLayout, FieldsMayLieAnywhereInAPoint) {
  SampleCloud cloud;
  cloud.width = 3;
  cloud.point_step = 27;
  cloud.fields = {{"ring", 0, 4}, {"z", 3}, {"time", 7, 8}, {"x", 15}, {"y", 19}, {"i", 26, 2}};
  cloud.data.resize(3 * 27);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto v = static_cast<float>(k);
    put(cloud, 27 * k + 15, 1 + v);
    put(cloud, 27 * k + 19, 2 + v);
    put(cloud, 27 * k + 3, 3 + v);
    put(cloud, 27 * k + 26, static_cast<std::uint8_t>(4 + k));
  }
  EXPECT_EQ(decoded(cloud), (Scan{{1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6}}));
}

TEST(CloudLayout, NumbersMayBeOfAnyTypeAndOrder) {
  for (const bool swap : {false, true}) {
    SampleCloud cloud;
    cloud.width = 1;
    cloud.big_endian = swap;
    cloud.point_step = 16;
    cloud.fields = {{"x", 0, 8}, {"y", 8, 3}, {"z", 10, 5}, {"reflectivity", 14, 4}};
    cloud.data.resize(16);
    put(cloud, 0, -1.25, swap);
    put(cloud, 8, std::int16_t{-300}, swap);
    put(cloud, 10, std::int32_t{70000}, swap);
    put(cloud, 14, std::uint16_t{65535}, swap);
    EXPECT_EQ(decoded(cloud), (Scan{{-1.25F, -300, 70000, 65535}})) << swap;
  }
}

TEST(CloudLayout, RowsKeepTheirPointsAndWhatIsMissing) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Scan scan{{1, 2, 3, 4}, {nan, nan, nan, 0}, {5, 6, 7, 8}, {9, 10, 11, 12}};
  SampleCloud cloud = SampleCloud::of(scan, 1);
  cloud.height = 2;
  cloud.width = 2;
  cloud.row_step = 40;  // 8 bytes beyond the points of a row
  cloud.data.insert(cloud.data.begin() + 32, 8, std::byte{0x55});
  const Scan found = decoded(cloud);
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0], scan[0]);
  EXPECT_TRUE(std::isnan(found[1].x));
  EXPECT_EQ(found[2], scan[2]);
  EXPECT_EQ(found[3], scan[3]);
}

TEST(CloudLayout, RowsWithoutAStepFollowEachOther) {
  const Scan scan = random_scan(6, 4);
  SampleCloud cloud = SampleCloud::of(scan, 1);
  cloud.height = 2;
  cloud.width = 3;
  cloud.row_step = 0;
  EXPECT_EQ(decoded(cloud), scan);
}

TEST(CloudLayout, CdrAndRos1SayTheSame) {
  const SampleCloud cloud = SampleCloud::of(random_scan(20, 3), kFirstStampNs);
  const ByteVector ros1 = cloud.ros1();
  const kitti::CloudMessage message = kitti::read_cloud_message(ros1, "ros1", kWhere);
  EXPECT_EQ(message.header.stamp_ns, kFirstStampNs);
  EXPECT_EQ(message.header.frame_id, "lidar");
  EXPECT_EQ(kitti::points_of(message, {}, kWhere), decoded(cloud));
}

TEST(WireReader, CountsNoMoreElementsThanTheMessageHasBytesFor) {
  ByteVector message(4 + 40);
  message[0] = std::byte{5};
  EXPECT_EQ(kitti::WireReader(message, "ros1", kWhere).count(8), 5U);
  expect_one_line([&] { kitti::WireReader(message, "ros1", kWhere).count(9); }, kWhere, "40 bytes");
}

TEST(CloudLayout, WhatCannotBeIsOneLine) {
  const SampleCloud good = SampleCloud::of(random_scan(4, 1), 1);
  const auto refused = [&](const std::function<void(SampleCloud&)>& spoil, const char* found) {
    SampleCloud cloud = good;
    spoil(cloud);
    expect_one_line([&] { decoded(cloud); }, kWhere, found);
  };
  refused([](SampleCloud& c) { c.fields[0].name = "a"; }, "no x");
  refused([](SampleCloud& c) { c.fields[2].offset = 13; }, "z at byte 13");
  refused([](SampleCloud& c) { c.fields[1].datatype = 9; }, "9 of y");
  refused([](SampleCloud& c) { c.fields[1].name = "x"; }, "x twice");
  refused([](SampleCloud& c) { c.width = 5; }, "64 bytes");
  refused([](SampleCloud& c) { c.width = 0; }, "none");
  refused([](SampleCloud& c) { c.height = 4'000'000'000U; }, "64 bytes");
  refused(
      [](SampleCloud& c) {
        c.height = 2;
        c.width = 2;
        c.row_step = 8;
      },
      "8");
  refused([](SampleCloud& c) { c.point_step = 0; }, "x at byte 0");
  ByteVector cut = good.cdr();
  for (std::size_t bytes = 0; bytes < 100; ++bytes) {
    EXPECT_FALSE(input_error_of([&] {
                   kitti::read_cloud_message(std::span(cut).first(bytes), "cdr", kWhere);
                 }).empty());
  }
}

}  // namespace
}  // namespace roadplane::test
