#include "roadplane/kitti/scan_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <limits>

#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/kitti/cloud_file.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "roadplane/kitti/frame.hpp"
#include "roadplane/kitti/raw_format.hpp"
#include "support/data.hpp"
#include "support/input_error.hpp"
#include "support/random_data.hpp"
#include "support/temp_dir.hpp"
#include "support/unprivileged.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;
using test::expect_one_line;
using test::TempDir;

Scan counting_scan(int count) {
  Scan scan;
  for (int k = 0; k < count; ++k) {
    scan.push_back({static_cast<float>(k), static_cast<float>(2 * k), -1.5F, 0.25F});
  }
  return scan;
}

TEST(ReadScan, WhatWasWrittenIsRead) {
  const TempDir dir;
  const Scan scan = counting_scan(100);
  write_scan(dir / "a.bin", scan);
  EXPECT_EQ(fs::file_size(dir / "a.bin"), 1600U);
  EXPECT_EQ(read_scan(dir / "a.bin"), scan);
  EXPECT_EQ(count_points(Frame{.sequence = "a", .scan = dir / "a.bin"}), 100U);
}

TEST(Frame, HasANameOfUtf8WhateverItsFileIsCalled) {
  const Frame frame{.sequence = "04", .scan = "04/a\xff.bin"};
  EXPECT_EQ(frame.name(), "04/a\\xFF");
  EXPECT_EQ(frame.stem(), "a\xff");
}

TEST(OpenDataset, APipeAmongTheScansIsAFrameThatCannotBeRead) {
  const TempDir dir;
  fs::create_directory(dir / "scans");
  write_scan(dir / "scans/a.bin", counting_scan(10));
  ASSERT_EQ(::mkfifo((dir / "scans/b.bin").c_str(), 0600), 0);
  const auto frames = open_dataset(dir / "scans").frames;
  ASSERT_EQ(frames.size(), 2U);
  expect_one_line([&] { load_scan(frames[1]); }, (dir / "scans/b.bin").string(), "a pipe");
}

TEST(ScanReader, BadFilesAreExplainedInOneLine) {
  const TempDir dir;
  const auto open = [](const fs::path& path) { return [path] { ScanReader reader(path); }; };
  const auto path = [&](const char* name) { return (dir / name).string(); };
  expect_one_line(open(dir.write("odd.bin", std::string(17, 'x'))), path("odd.bin"),
                  "17 bytes, not a multiple of 16");
  expect_one_line(open(dir.write("empty.bin", "")), path("empty.bin"), "an empty file");
  expect_one_line(open(dir.path()), dir.path().string(), "a directory");
  expect_one_line(open(dir / "none.bin"), path("none.bin"), "no such file");
}

TEST(ScanReader, AnUnreadableFileIsExplainedInOneLine) {
  const TempDir dir;
  write_scan(dir / "a.bin", counting_scan(1));
  fs::permissions(dir.path(), fs::perms::all);
  fs::permissions(dir / "a.bin", fs::perms::none);
  EXPECT_EQ(test::exception_when_unprivileged([&] { ScanReader reader(dir / "a.bin"); }),
            (dir / "a.bin").string() + ": expected a readable file, found Permission denied");
}

TEST(ReadScan, DecodingChecksTheSameThings) {
  const Scan scan = counting_scan(3);
  EXPECT_EQ(decode_raw(std::as_bytes(std::span(scan)), RawFormat::kitti, "here"), scan);
  expect_one_line([] { decode_raw({}, RawFormat::kitti, "here"); }, "here", "an empty file");
}

TEST(ReadScan, UnusableCoordinatesKeepTheirIndexAndAreLeftOutOfTheCloud) {
  const TempDir dir;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  Scan scan = counting_scan(6);
  scan[1].x = nan;
  scan[2].y = -inf;
  scan[3].z = 3e38F;
  write_scan(dir / "a.bin", scan);
  const Scan read = read_scan(dir / "a.bin");
  ASSERT_EQ(read.size(), 6U);
  EXPECT_EQ(std::memcmp(read.data(), scan.data(), 6 * sizeof(Point)), 0);
  HomogeneousCloud cloud;
  cloud.assign(read);
  EXPECT_EQ(cloud.size(), 3U);
  EXPECT_EQ(cloud.index()[1], 4U);
}

TEST(ScanReader, ReadsPiecesAndNoticesAFileThatShrinks) {
  const TempDir dir;
  const fs::path path = dir / "a.bin";
  const Scan scan = counting_scan(10);
  write_scan(path, scan);
  const ScanReader reader(path);
  EXPECT_EQ(reader.size(), 10U);
  Scan piece(4);
  reader.read(3, piece);
  EXPECT_EQ(piece, Scan(scan.begin() + 3, scan.begin() + 7));
  fs::resize_file(path, 5 * sizeof(Point));
  expect_one_line([&] { reader.read(3, piece); }, path.string(), "its end");
  fs::resize_file(path, 5 * sizeof(Point) + 1);
  expect_one_line([&] { ScanReader{path}; }, path.string(), "not a multiple of 16");
  expect_one_line([&] { ScanReader{dir / "none.bin"}; }, (dir / "none.bin").string(), "no such");
}

TEST(ScanReader, AShareOfAFileIsAShareOfItsPoints) {
  const TempDir dir;
  const Scan scan = test::random_scan(5000, 2);
  write_scan(dir / "0.bin", scan);
  const Frame frame{"", 0, dir / "0.bin"};
  for (const ShardKind kind :
       {ShardKind::azimuth, ShardKind::contiguous, ShardKind::interleaved, ShardKind::random}) {
    const ScanShare read = load_share(frame, kind, 16, 1, 5, 3);
    const ScanShare taken = take_share(ScanInMemory(scan), kind, 16, 1, 5, 3);
    EXPECT_EQ(read.points, taken.points);
    EXPECT_EQ(read.positions, taken.positions);
    EXPECT_EQ(read.shards.order, taken.shards.order);
    EXPECT_EQ(load_share(frame, kind, 16, 1, 0, 16).points, scan);
  }
}

TEST(ReadScan, ARealScanIsRead) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  const fs::path path = kitti /
                        "raw/2011_09_26/2011_09_26_drive_0005_sync/velodyne_points/data/"
                        "0000000001.bin";
  const Scan scan = read_scan(path);
  ASSERT_EQ(scan.size(), 1978928U / 16);
  for (const Point& p : scan) ASSERT_TRUE(p.reflectance >= 0 && p.reflectance <= 1);
}

}  // namespace
}  // namespace roadplane::kitti
