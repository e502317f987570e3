#include <gtest/gtest.h>
#include <zstd.h>

#include <limits>

#include "recordings/samples.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "support/input_error.hpp"
#include "support/random_data.hpp"
#include "support/temp_dir.hpp"

namespace roadplane::test {
namespace {

using kitti::Dataset;
using kitti::open_dataset;

constexpr std::int64_t kPeriodNs = 100'000'000;
constexpr std::int64_t kDelayNs = 5'000'000;  ///< from the stamp to the recorder

std::vector<Scan> sample_scans(int count, std::size_t points = 50) {
  std::vector<Scan> scans;
  for (int k = 0; k < count; ++k) scans.push_back(random_scan(points, 100 + k));
  return scans;
}

std::vector<SampleMessage> messages_of(const std::vector<Scan>& scans, bool ros1) {
  std::vector<SampleMessage> messages;
  for (std::size_t k = 0; k < scans.size(); ++k) {
    const std::int64_t stamp = kFirstStampNs + static_cast<std::int64_t>(k) * kPeriodNs;
    const SampleCloud cloud = SampleCloud::of(scans[k], stamp);
    messages.push_back({0, stamp + kDelayNs, ros1 ? cloud.ros1() : cloud.cdr()});
  }
  return messages;
}

std::filesystem::path write_ros1(const TempDir& dir, const std::vector<Scan>& scans,
                                 const std::string& compression) {
  SampleBag bag;
  bag.messages = messages_of(scans, true);
  bag.compression = compression;
  return write_bytes(dir / (compression + ".bag"), bag.bytes());
}

void expect_scans(const Dataset& dataset, const std::vector<Scan>& scans) {
  ASSERT_EQ(dataset.frames.size(), scans.size());
  // Not in their order: a frame does not need the one before it.
  for (std::size_t k = scans.size(); k-- > 0;) {
    EXPECT_EQ(kitti::load_scan(dataset.frames[k]), scans[k]) << k;
    EXPECT_EQ(kitti::count_points(dataset.frames[k]), scans[k].size());
    EXPECT_EQ(dataset.frames[k].stem(),
              std::to_string(kFirstStampNs + static_cast<std::int64_t>(k) * kPeriodNs));
    EXPECT_EQ(dataset.frames[k].recorded->frame_id, "lidar");
  }
}

TEST(Recording, BagsOfRos1GiveTheirCloudsWhateverPacksThem) {
  const TempDir dir;
  const std::vector<Scan> scans = sample_scans(5);
  for (const char* compression : {"none", "lz4", "bz2"}) {
    SCOPED_TRACE(compression);
    const Dataset dataset = open_dataset(write_ros1(dir, scans, compression));
    expect_scans(dataset, scans);
    EXPECT_EQ(dataset.layout, kitti::Layout::recording);
    EXPECT_EQ(dataset.frames[2].name(),
              std::string(compression) + "/" + dataset.frames[2].recorded->stamp);
    EXPECT_TRUE(dataset.remarks.empty()) << dataset.remarks.front();
  }
}

TEST(Recording, AnMcapFileGivesTheSameCloudsInBothEncodings) {
  const TempDir dir;
  const std::vector<Scan> scans = sample_scans(5);
  expect_scans(
      open_dataset(write_bytes(dir / "a.mcap", sample_mcap({{}}, messages_of(scans, false)))),
      scans);
  expect_scans(open_dataset(write_bytes(
                   dir / "b.mcap", sample_mcap({{}}, messages_of(scans, true), "ros1", "ros1msg"))),
               scans);
}

TEST(Recording, ADatabaseGivesTheSameClouds) {
  const TempDir dir;
  const std::vector<Scan> scans = sample_scans(5);
  expect_scans(open_dataset(write_sqlite_bag(dir / "what?%.db3", {{}}, messages_of(scans, false))),
               scans);
}

TEST(Recording, ABagThatWasSplitIsOneRecording) {
  const TempDir dir;
  const std::vector<Scan> scans = sample_scans(5);
  const std::vector<SampleMessage> messages = messages_of(scans, false);
  const std::filesystem::path bag = dir / "drive";
  std::filesystem::create_directories(bag);
  write_sqlite_bag(bag / "drive_0.db3", {{}}, {messages.begin(), messages.begin() + 2});
  write_sqlite_bag(bag / "drive_1.db3", {{}}, {messages.begin() + 2, messages.end()});
  dir.write("drive/metadata.yaml",
            "rosbag2_bagfile_information:\n  version: 5\n  relative_file_paths:\n"
            "    - drive_0.db3\n    - drive_1.db3\n  compression_mode: \"\"\n");
  const Dataset dataset = open_dataset(bag);
  expect_scans(dataset, scans);
  EXPECT_EQ(dataset.frames[4].sequence, "drive");

  dir.write("drive/metadata.yaml",
            "rosbag2_bagfile_information:\n  relative_file_paths:\n    - ../elsewhere.db3\n");
  expect_one_line([&] { open_dataset(bag); }, (bag / "metadata.yaml").string(), "elsewhere");
}

/// As `ros2 bag record --compression-mode message --compression-format zstd` writes them.
TEST(Recording, MessagesMayBePackedOneByOne) {
  const TempDir dir;
  const std::vector<Scan> scans = sample_scans(3, 20'000);
  std::vector<SampleMessage> messages = messages_of(scans, false);
  for (SampleMessage& message : messages) {
    ByteVector packed(ZSTD_compressBound(message.data.size()));
    packed.resize(
        ZSTD_compress(packed.data(), packed.size(), message.data.data(), message.data.size(), 1));
    message.data = packed;
  }
  const auto path = write_sqlite_bag(dir / "packed.db3", {{}}, messages);
  const Dataset dataset = open_dataset(path);
  expect_scans(dataset, scans);
  EXPECT_EQ(dataset.frames[1].stem(), std::to_string(kFirstStampNs + kPeriodNs));

  for (std::size_t k = 0; k < 2; ++k) {  // one with a bad block, and one that ends too soon
    if (k == 0) std::fill_n(messages[0].data.begin() + 40, 400, std::byte{0xFF});
    if (k == 1) messages[1].data.resize(messages[1].data.size() / 2);
    const auto damaged = write_sqlite_bag(dir / ("bad" + std::to_string(k)), {{}}, messages);
    std::filesystem::rename(damaged, dir / "bad.db3");
    const Dataset bad = open_dataset(dir / "bad.db3");
    ASSERT_EQ(bad.frames.size(), 3U);
    EXPECT_FALSE(input_error_of([&] { kitti::load_scan(bad.frames[k]); }).empty());
  }
}

TEST(Recording, SeveralTopicsAreNamedWithRatesAndCounts) {
  const TempDir dir;
  std::vector<SampleMessage> messages = messages_of(sample_scans(4), false);
  messages[3].topic = 1;
  const auto path = write_bytes(dir / "two.mcap", sample_mcap({{"/front"}, {"/rear"}}, messages));
  expect_one_line([&] { open_dataset(path); }, "topic", "nothing");
  const std::string line = input_error_of([&] { open_dataset(path); });
  EXPECT_NE(line.find("/front (10.0 Hz, 3 messages), /rear (0.0 Hz, 1 message)"), std::string::npos)
      << line;
  EXPECT_EQ(open_dataset(path, {}, "/front").frames.size(), 3U);
  EXPECT_EQ(open_dataset(path, {}, "/rear").frames.size(), 1U);
  expect_one_line([&] { open_dataset(path, {}, "/left"); }, "topic", "/left");
}

TEST(Recording, PacketsAreRefusedWithWhatMakesCloudsOfThem) {
  const TempDir dir;
  const SampleTopic packets{"/velodyne_packets", "velodyne_msgs/VelodyneScan", "*"};
  const auto path =
      write_bytes(dir / "p.mcap", sample_mcap({packets}, messages_of(sample_scans(2), false)));
  expect_one_line([&] { open_dataset(path); }, path.string(), "velodyne_pointcloud");
}

TEST(Recording, ADefinitionThatIsAnotherOneIsRefused) {
  const TempDir dir;
  SampleBag bag;
  bag.topics[0].md5 = "0123456789abcdef0123456789abcdef";
  bag.messages = messages_of(sample_scans(2), true);
  const auto path = write_bytes(dir / "md5.bag", bag.bytes());
  expect_one_line([&] { open_dataset(path); }, path.string(), "md5sum");

  const auto other =
      write_bytes(dir / "p.mcap",
                  sample_mcap({{}}, messages_of(sample_scans(2), false), "protobuf", "protobuf"));
  expect_one_line([&] { open_dataset(other); }, other.string(), "protobuf");
  const auto words = write_bytes(
      dir / "w.mcap", sample_mcap({{}}, messages_of(sample_scans(2), false), "cdr", "omgidl"));
  expect_one_line([&] { open_dataset(words); }, words.string(), "omgidl");
}

TEST(Recording, WithoutAnIndexChunksAreReadThroughAndThatIsSaid) {
  const TempDir dir;
  const std::vector<Scan> scans = sample_scans(5);
  SampleBag bag;
  bag.messages = messages_of(scans, true);
  bag.compression = "lz4";
  bag.index = false;
  const Dataset dataset = open_dataset(write_bytes(dir / "plain.bag", bag.bytes()));
  expect_scans(dataset, scans);
  ASSERT_EQ(dataset.remarks.size(), 1U);
  EXPECT_NE(dataset.remarks[0].find("3 of 3 chunks without an index"), std::string::npos);
}

TEST(Recording, MessagesThatNothingDescribesAreCountedAndLeftOut) {
  const TempDir dir;
  SampleBag bag;
  bag.messages = messages_of(sample_scans(3), true);
  bag.connections = false;
  const auto path = write_bytes(dir / "strangers.bag", bag.bytes());
  EXPECT_EQ(kitti::Recording(path).remarks().size(), 1U);
  expect_one_line([&] { open_dataset(path); }, path.string(), "no topics");
}

/// Whatever is left of a recording gives scans that it had, or one line.
template <class Write>
void expect_beginnings(const std::vector<Scan>& scans, std::size_t bytes, Write&& write) {
  std::size_t most = 0;
  for (std::size_t keep = 0; keep < bytes; keep += keep < 4500 && keep > 40 ? 97 : 5) {
    const std::filesystem::path path = write(keep);
    try {
      const Dataset dataset = open_dataset(path);
      ASSERT_LE(dataset.frames.size(), scans.size());
      EXPECT_GE(dataset.frames.size(), most) << keep;
      most = dataset.frames.size();
      for (std::size_t k = 0; k < dataset.frames.size(); ++k) {
        EXPECT_EQ(kitti::load_scan(dataset.frames[k]), scans[k]) << keep;
      }
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      EXPECT_EQ(most, 0U) << error.what();
    }
  }
  EXPECT_EQ(most, scans.size());
}

TEST(Recording, IsReadAsFarAsItGoesWhereverItIsCutShort) {
  const TempDir dir;
  const std::vector<Scan> scans = sample_scans(3, 4);
  for (const char* compression : {"none", "bz2"}) {
    SampleBag bag;
    bag.messages = messages_of(scans, true);
    bag.compression = compression;
    bag.messages_per_chunk = 1;
    const ByteVector whole = bag.bytes();
    expect_beginnings(scans, whole.size(), [&](std::size_t keep) {
      return write_bytes(dir / "cut.bag", std::span(whole).first(keep));
    });
  }
  const ByteVector whole = sample_mcap({{}}, messages_of(scans, false));
  expect_beginnings(scans, whole.size(), [&](std::size_t keep) {
    return write_bytes(dir / "cut.mcap", std::span(whole).first(keep));
  });
}

TEST(Recording, ACutDatabaseIsReadAsFarAsItGoes) {
  const TempDir dir;
  const std::vector<Scan> scans = sample_scans(20, 600);
  const auto whole = write_sqlite_bag(dir / "whole.db3", {{}}, messages_of(scans, false));
  const auto size = std::filesystem::file_size(whole);
  const auto cut = dir / "cut.db3";
  for (const double part : {0.3, 0.6, 0.9}) {
    std::filesystem::copy_file(whole, cut, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(cut,
                                 static_cast<std::uintmax_t>(part * static_cast<double>(size)));
    const Dataset dataset = open_dataset(cut);
    EXPECT_GT(dataset.frames.size(), static_cast<std::size_t>(20 * part) - 3);
    EXPECT_FALSE(dataset.remarks.empty());
    EXPECT_EQ(kitti::load_scan(dataset.frames[0]), scans[0]);
  }
}

TEST(Recording, ALyingIndexIsNoticedByTheFrame) {
  const TempDir dir;
  SampleBag bag;
  bag.messages = messages_of(sample_scans(3), true);
  bag.index_shift = 9;
  const auto path = write_bytes(dir / "lie.bag", bag.bytes());
  const Dataset dataset = open_dataset(path);
  for (const kitti::Frame& frame : dataset.frames) {
    EXPECT_FALSE(input_error_of([&] { kitti::load_scan(frame); }).empty());
  }
}

TEST(Recording, AChunkThatClaimsToBeLargerThanAnyIsRefused) {
  const TempDir dir;
  // 100 GB of zeros in a few kilobytes, said to be a chunk of that size.
  ByteVector file;
  kitti::McapWriter writer([&file](std::span<const std::byte> bytes) {
    file.insert(file.end(), bytes.begin(), bytes.end());
  });
  const auto channel = writer.add_channel(
      "/points", "cdr", writer.add_schema("sensor_msgs/msg/PointCloud2", "ros2msg", ""));
  writer.write(channel, kFirstStampNs, SampleCloud::of(random_scan(9, 1), kFirstStampNs).cdr());
  writer.finish();
  const std::uint64_t lie = 100'000'000'000;
  // After the magic and the header comes the chunk: its two times, then its plain size.
  std::size_t at = 8;
  while (file[at] != std::byte{6}) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, &file[at + 1], sizeof bytes);
    at += 9 + bytes;
  }
  std::memcpy(&file[at + 9 + 16], &lie, sizeof lie);
  const auto path = write_bytes(dir / "bomb.mcap", file);
  const Dataset dataset = open_dataset(path);
  expect_one_line([&] { kitti::load_scan(dataset.frames.at(0)); }, path.string(), "100000000000");
}

TEST(Recording, WhatIsNoRecordingIsRefusedByItsFirstBytes) {
  const TempDir dir;
  for (const char* name : {"a.bag", "a.mcap", "a.db3"}) {
    const auto path = dir.write(name, "hello, this is no recording at all");
    expect_one_line([&] { open_dataset(path); }, path.string(), "hello");
    dir.write(name, "");
    EXPECT_FALSE(input_error_of([&] { open_dataset(path); }).empty());
  }
  const auto old = dir.write("old.bag", "#ROSBAG V1.2\nwhatever");
  expect_one_line([&] { open_dataset(old); }, old.string(), "rosbag migrate");
}

TEST(Recording, TwoFramesOfOneStampHaveNamesOfTheirOwn) {
  const TempDir dir;
  std::vector<SampleMessage> messages;
  for (int k = 0; k < 3; ++k) {
    messages.push_back({0, kFirstStampNs + k, SampleCloud::of(random_scan(5, 1), 0).cdr()});
  }
  messages.push_back({0, kFirstStampNs + 2, messages[0].data});
  const Dataset dataset = open_dataset(write_bytes(dir / "a.mcap", sample_mcap({{}}, messages)));
  ASSERT_EQ(dataset.frames.size(), 4U);
  EXPECT_EQ(dataset.frames[1].stem(), std::to_string(kFirstStampNs + 1));
  EXPECT_NE(dataset.frames[3].stem(), dataset.frames[2].stem());
}

}  // namespace
}  // namespace roadplane::test
