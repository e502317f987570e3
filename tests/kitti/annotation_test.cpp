#include "roadplane/kitti/annotation.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "mat_writer.hpp"
#include "roadplane/base/file.hpp"
#include "support/data.hpp"
#include "support/input_error.hpp"
#include "support/temp_dir.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;
using test::expect_one_line;
using test::MatWriter;
using test::TempDir;

const std::vector<double> kOne{1, 2, -1.5, 1};
const std::vector<double> kTwo{3, 4, 0.5, 1, 5, 6, 7, 1};

TEST(Annotation, InliersComeFirstAndAreTheMask) {
  const TempDir dir;
  MatWriter mat;
  mat.matrix("outliers", 4, 2, kTwo).matrix("inliers", 4, 1, kOne);
  const Annotation a = read_annotation(dir.write("a.mat", mat.bytes()));
  EXPECT_EQ(a.scan, (Scan{{1, 2, -1.5F, 0}, {3, 4, 0.5F, 0}, {5, 6, 7, 0}}));
  EXPECT_EQ(a.mask, (std::vector<std::uint8_t>{1, 0, 0}));
  EXPECT_FALSE(a.threshold);
  mat.matrix("gt_threshold", 1, 1, {0.25});
  EXPECT_EQ(read_annotation(dir.write("b.mat", mat.bytes())).threshold, 0.25);
}

TEST(Annotation, BadFilesAreExplainedInOneLine) {
  const TempDir dir;
  const auto check = [&](const char* name, const std::string& bytes, const char* found) {
    const fs::path path = dir.write(name, bytes);
    expect_one_line([&] { read_annotation(path); }, path.string(), found);
  };
  const auto with_inliers = [] { return MatWriter().matrix("inliers", 4, 1, kOne); };
  check("none.mat", MatWriter().matrix("other", 1, 1, {1}).bytes(), "no inliers");
  check("half.mat", with_inliers().bytes(), "no outliers");
  check("shape.mat", with_inliers().matrix("outliers", 2, 4, kTwo).bytes(), "2x4");
  check("type.mat", with_inliers().matrix("outliers", 4, 2, kTwo, MatWriter::kInt32).bytes(),
        "4x2 of another type");
  check("row.mat", with_inliers().matrix("outliers", 4, 1, {1, 2, 3, 4}).bytes(),
        "4.000000 in column 1");
  check("threshold.mat",
        with_inliers().matrix("outliers", 4, 2, kTwo).matrix("gt_threshold", 1, 2, {1, 2}).bytes(),
        "1x2");
  check("no_points.mat",
        MatWriter().matrix("inliers", 4, 0, {}).matrix("outliers", 4, 0, {}).bytes(), "none");
  check("empty.mat", "", "0 bytes");
  check("garbage.mat", std::string(500, 'g'), "another header");
  expect_one_line([&] { read_annotation(dir.path()); }, dir.path().string(), "a directory");
  expect_one_line([&] { read_annotation(dir / "no.mat"); }, (dir / "no.mat").string(), "no such");
}

TEST(Annotation, AShapeLargerThanTheFileIsNotAllocated) {
  const TempDir dir;
  MatWriter mat;
  mat.matrix("inliers", 4, 500000000, kOne).matrix("outliers", 4, 2, kTwo);
  const fs::path path = dir.write("lie.mat", mat.bytes());
  expect_one_line([&] { read_annotation(path); }, path.string(), "more than the file can hold");
}

TEST(Annotation, ATruncatedFileIsNoticedWhereverItEnds) {
  const TempDir dir;
  MatWriter mat;
  mat.matrix("inliers", 4, 1, kOne).matrix("outliers", 4, 2, kTwo);
  for (std::size_t size = 0; size < mat.bytes().size(); ++size) {
    const fs::path path = dir.write("a.mat", mat.bytes().substr(0, size));
    expect_one_line([&] { read_annotation(path); }, path.string(), "");
  }
}

/// Reads a damaged copy; all that may happen is an annotation or an InputError.
void read_damaged(const fs::path& path) {
  try {
    const Annotation annotation = read_annotation(path);
    EXPECT_EQ(annotation.mask.size(), annotation.scan.size());
  } catch (const InputError&) {
  }
}

TEST(Annotation, DamagedBytesNeverCrash) {
  const TempDir dir;
  MatWriter mat;
  mat.matrix("inliers", 4, 1, kOne).matrix("outliers", 4, 2, kTwo);
  for (std::size_t at = 124; at < mat.bytes().size(); ++at) {
    for (const char value : {'\0', '\1', '\x7F', '\xFF'}) {
      std::string bytes = mat.bytes();
      bytes[at] = value;
      read_damaged(dir.write("a.mat", bytes));
    }
  }
}

TEST(Annotation, RealFilesHoldTheWholeScan) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  const fs::path folder = kitti / "dpcp_annotations/09_29_071";
  const Annotation a = read_annotation(folder / "29_071_0221_data.mat");
  EXPECT_EQ(a.scan.size(), 121429U);
  EXPECT_EQ(std::accumulate(a.mask.begin(), a.mask.end(), 0), 40137);
  EXPECT_EQ(a.threshold, 0.012);
  const Annotation b = read_annotation(folder / "29_071_0328_data.mat");
  EXPECT_EQ(b.scan.size(), 121766U);
  EXPECT_EQ(std::accumulate(b.mask.begin(), b.mask.end(), 0), 44631);
}

TEST(Annotation, ADamagedRealFileNeverCrashes) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  const TempDir dir;
  const std::string good =
      read_text_file(kitti / "dpcp_annotations/09_29_071/29_071_0221_data.mat", 10 << 20);
  for (const std::size_t size : {127UL, 130UL, 1000UL, 500000UL, good.size() - 1}) {
    const fs::path path = dir.write("short.mat", good.substr(0, size));
    expect_one_line([&] { read_annotation(path); }, path.string(), "");
  }
  for (std::size_t at = 128; at < good.size(); at += at < 1000 ? 23 : 200003) {
    std::string bytes = good;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
    read_damaged(dir.write("flip.mat", bytes));
  }
}

}  // namespace
}  // namespace roadplane::kitti
