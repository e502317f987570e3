#include "roadplane/kitti/cloud_file.hpp"

#include <gtest/gtest.h>

#include "cloud_header.hpp"
#include "cloud_samples.hpp"
#include "roadplane/base/counter_random.hpp"
#include "roadplane/kitti/scan_file.hpp"
#include "support/input_error.hpp"
#include "support/temp_dir.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;
using namespace test;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(CloudFile, EveryEncodingGivesTheSamePoints) {
  const TempDir dir;
  EXPECT_EQ(read_scan(dir.write("ascii.pcd", ascii_pcd())), kSamplePoints);
  EXPECT_EQ(read_scan(dir.write("binary.pcd", binary_pcd())), kSamplePoints);
  EXPECT_EQ(read_scan(dir.write("compressed.pcd", compressed_pcd())), kSamplePoints);
  EXPECT_EQ(read_scan(dir.write("ascii.ply", ascii_ply())), kSamplePoints);
  EXPECT_EQ(read_scan(dir.write("binary.ply", binary_ply())), kSamplePoints);
  EXPECT_EQ(read_scan(dir.write("big.ply", big_endian_ply())), kSamplePoints);
  EXPECT_EQ(read_scan(dir.write("face.PLY", ply_with_face())), kSamplePoints);
  write_scan(dir / "a.bin", kSamplePoints);
  EXPECT_EQ(read_scan(dir / "a.bin"), kSamplePoints);
}

TEST(CloudFile, ReflectanceHasSeveralNamesOrIsZero) {
  const TempDir dir;
  for (const char* name : {"reflectance", "i"}) {
    EXPECT_EQ(read_scan(dir.write("a.pcd", replaced(ascii_pcd(), "intensity", name))),
              kSamplePoints);
    EXPECT_EQ(read_scan(dir.write("a.ply", replaced(ascii_ply(), "intensity", name))),
              kSamplePoints);
  }
  const Scan none = read_scan(dir.write("b.pcd", replaced(ascii_pcd(), "intensity", "ring")));
  EXPECT_EQ(none[1], (Point{-3, 4.5F, 0.5F, 0}));
}

TEST(CloudFile, OtherTypesOfNumbersAreConverted) {
  const TempDir dir;
  std::string doubles = replaced(ply_header("binary_little_endian"), "float x", "double x");
  doubles = replaced(doubles, "float intensity", "ushort i");
  for (const Point& p : kSamplePoints) {
    doubles += raw_bytes(double{p.x}) + raw_bytes(p.y) + raw_bytes(p.z) +
               raw_bytes(static_cast<std::uint16_t>(p.reflectance * 4));
  }
  const Scan scan = read_scan(dir.write("a.ply", doubles));
  EXPECT_EQ(scan, (Scan{{1, 2, -1.5F, 1}, {-3, 4.5F, 0.5F, 3}}));
}

TEST(CloudFile, NanPointsKeepTheirIndex) {
  const TempDir dir;
  const Scan scan = read_scan(dir.write("a.pcd", replaced(ascii_pcd(), "1 2 -1.5", "nan nan nan")));
  ASSERT_EQ(scan.size(), 2U);
  EXPECT_TRUE(std::isnan(scan[0].x));
  EXPECT_EQ(scan[1], kSamplePoints[1]);
}

class BadCloud : public ::testing::Test {
 protected:
  void check(const std::string& name, const std::string& bytes, const std::string& found) const {
    const fs::path path = dir_.write(name, bytes);
    expect_one_line([&] { read_scan(path); }, path.string(), found);
  }

  TempDir dir_;
};

TEST_F(BadCloud, NoCloudAtAll) {
  check("zero.pcd", "", "an empty file");
  check("zero.ply", "", "an empty file");
  check("garbage.pcd", "\x01\x02 garbage \xFF\n\n", "\"??\"");
  check("garbage.ply", "garbage\n", "another first line");
  check("cut.pcd", "VERSION 0.7\nFIELDS x y z\n", "no DATA");
  check("cut.ply", "ply\nformat ascii 1.0\n", "no end_header");
  check("cloud.laz", "LASF", "compressed LAS (unsupported; try `pdal translate`");
  check("cloud.pcd.gz", "", "a compressed file (unsupported; try `gunzip`");
  check("cloud.doc", "1 2 3", "a .doc file (unsupported; try `pdal translate` or Open3D");
  check("scans.tar.gz", "", "an archive (unsupported; try `tar -xf`");
  check("scans.parquet", "", "a table (unsupported; try pandas");
  check("segment.tfrecord", "", "the Waymo Open Dataset (unsupported; try `frame_utils`");
  check("picture.PNG", "", "a picture (unsupported; try the scan");
  check("cut.npz", "PK", "a damaged one");
  check("none.npz", std::string("PK\5\6", 4) + std::string(18, '\0'), "none");
  std::string long_name = "PK\1\2" + std::string(42, '\0') + "PK\5\6" + std::string(18, '\0');
  long_name[28] = '\xFF';  // bytes of a name, more than there are
  long_name[46 + 10] = 1;  // entries
  check("long_name.npz", long_name, "a damaged one");
  fs::create_directory(dir_ / "folder.pcd");
  expect_one_line([&] { read_scan(dir_ / "folder.pcd"); }, (dir_ / "folder.pcd").string(),
                  "a directory");
  expect_one_line([&] { read_scan(dir_ / "no.ply"); }, (dir_ / "no.ply").string(), "no such file");
}

TEST_F(BadCloud, HeadersThatLieAboutTheirCount) {
  const std::string three_billion = "3000000000";
  check("a.pcd", pcd_header("binary", three_billion), "0");
  check("b.pcd", pcd_header("ascii", three_billion) + "1 2 3 4\n", "1");
  check("c.pcd", replaced(compressed_pcd(), "WIDTH 2", "WIDTH 3"), "\"2\"");
  check("d.pcd", pcd_header("binary_compressed", three_billion) + std::string(8, '\1'), "8");
  check("e.pcd", replaced(ascii_pcd(), "HEIGHT 1", "HEIGHT 4294967295"), "2 x 4294967295");
  check("f.pcd", pcd_header("binary", "0"), "none");
  check("g.pcd", pcd_header("binary", "99999999999999999999"), "\"99999999999999999999\"");
  check("h.pcd", pcd_header("binary", "-1"), "\"-1\"");
  check("a.ply", ply_header("binary_little_endian", three_billion), "\"3000000000\"");
  check("b.ply", ply_header("binary_little_endian", "2000000000"), "a file that ends after 0");
  check("c.ply", ply_header("ascii", "2000000000") + "1 2 3 4\n", "a file that ends after 1");
  check("d.ply", ply_header("ascii", "0"), "none");
}

TEST_F(BadCloud, CompressedDataThatLiesAboutItsSize) {
  const std::string good = compressed_pcd();
  const std::size_t at = pcd_header("binary_compressed").size();
  std::string bomb = pcd_header("binary_compressed", "200000000").append(8, '\0');
  const auto uncompressed = static_cast<std::uint32_t>(3200000000U);
  bomb.replace(bomb.size() - 8, 8, raw_bytes(std::uint32_t{4}) + raw_bytes(uncompressed));
  check("bomb.pcd", bomb + "abcd", "3200000000 from 4");
  check("short.pcd", good.substr(0, good.size() - 1), "");
  check("cut.pcd", good.substr(0, at + 3), "3");
  std::string damaged = good;
  damaged[at + 8] = '\x05';
  check("damaged.pcd", damaged, "damaged data");
}

TEST_F(BadCloud, TruncatedData) {
  const std::string pcd = binary_pcd();
  check("a.pcd", pcd.substr(0, pcd.size() - 1), "31");
  const std::string ply = binary_ply();
  check("a.ply", ply.substr(0, ply.size() - 1), "a file that ends after 1");
  const std::string face = ply_with_face();
  check("b.ply", face.substr(0, face.size() - 1), "a file that ends after 0");
  check("c.ply", replaced(ply_with_face(), "face 1", "face 2000000000"),
        "a file that ends after 1");
}

TEST_F(BadCloud, FieldsThatAreMissingOrTwice) {
  check("a.pcd", replaced(ascii_pcd(), "x y z", "x y w"), "no z");
  check("b.pcd", replaced(ascii_pcd(), "intensity", "x"), "field x twice");
  check("c.pcd", replaced(ascii_pcd(), "SIZE 4 4 4 4", "SIZE 4 4 4"), "3");
  check("d.pcd", replaced(ascii_pcd(), "SIZE 4", "SIZE 3"), "\"F\" 3");
  check("e.pcd", replaced(ascii_pcd(), "WIDTH 2\n", ""), "no WIDTH");
  check("f.pcd", replaced(ascii_pcd(), "WIDTH 2\n", "WIDTH 2\nWIDTH 2\n"), "WIDTH twice");
  check("g.pcd", replaced(ascii_pcd(), "DATA ascii", "DATA text"), "\"text\"");
  check("h.pcd", replaced(ascii_pcd(), "COUNT 1", "COUNT 2"), "2");
  check("a.ply", replaced(ascii_ply(), "float y", "float q"), "no y");
  check("b.ply", replaced(ascii_ply(), "element vertex", "element corner"), "none");
  check("c.ply", replaced(ascii_ply(), "float y", "list uchar int y"), "list y");
  check("d.ply", replaced(ascii_ply(), "float y", "text y"), "\"text\"");
  check("e.ply", ply_header("binary_little_endian", "2", "element range_grid 1\n"), "one");
}

TEST_F(BadCloud, ColoursThatPclCannotTell) {
  const auto ply = [](const std::string& properties, const std::string& values) {
    return ply_header("ascii", "1", properties) + "1 2 -1.5 0.25 " + values + "\n";
  };
  const std::string red = "property uchar red\n";
  const std::string green = "property uchar green\n";
  const std::string blue = "property uchar blue\n";
  const std::string other = "property float other\n";
  const fs::path good = dir_.write("good.ply", ply(red + green + blue + other, "1 2 3 4"));
  EXPECT_EQ(read_scan(good), Scan{kSamplePoints[0]});
  check("a.ply", ply(blue, "1"), "blue");
  check("b.ply", ply(red + other + green + blue, "1 2 3 4"), "red, ..., green, blue");
  check("c.ply", ply("property uchar alpha\n", "1"), "alpha");
}

TEST_F(BadCloud, AsciiGarbage) {
  check("a.pcd", replaced(ascii_pcd(), "4.5", "four"), "\"four\"");
  check("b.pcd", replaced(ascii_pcd(), " 0.75", ""), "3");
  check("c.pcd", ascii_pcd() + "1 2 3 4\n", "3");
  check("a.ply", replaced(ascii_ply(), "4.5", "four"), "\"four\"");
  check("b.ply", replaced(ascii_ply(), " 0.75", ""), "too few");
  check("c.ply", replaced(ascii_ply(), "0.75", "0.75 1"), "more");
}

/// Whatever a file holds, all that may happen is a scan as large as its header says, or an
/// InputError: thousands of damaged copies go through the check and, those that pass, through PCL.
TEST_F(BadCloud, DamagedCopiesNeverCrash) {
  const std::pair<const char*, std::string> samples[] = {
      {"a.pcd", ascii_pcd()},    {"b.pcd", binary_pcd()}, {"c.pcd", compressed_pcd()},
      {"a.ply", ascii_ply()},    {"b.ply", binary_ply()}, {"c.ply", big_endian_ply()},
      {"d.ply", ply_with_face()}};
  CounterRandom random(3, RandomUse::user);
  for (const auto& [name, good] : samples) {
    for (int k = 0; k < 300; ++k) {
      std::string bytes = good;
      const std::uint32_t changes = 1 + random.below(2);
      for (std::uint32_t c = 0; c < changes; ++c) {
        bytes[random.below(static_cast<std::uint32_t>(bytes.size()))] =
            random.below(2) == 0 ? static_cast<char>(random.below(256))
                                 : good[random.below(static_cast<std::uint32_t>(good.size()))];
      }
      try {
        EXPECT_LT(read_scan(dir_.write(name, bytes)).size(), 100U);
      } catch (const InputError&) {
      }
    }
  }
}

}  // namespace
}  // namespace roadplane::kitti
