// `mpirun -np R roadplane segment` against a plain process: the same files, byte for byte, whatever
// R.

#include <gtest/gtest.h>

#include "mpi_program.hpp"
#include "support/data.hpp"
#include "support/street.hpp"
#include "support/temp_dir.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;
using test::contents;
using test::mpirun;
using test::Outcome;
using test::plain;
using test::run_command;
using test::segment;

/// Segments `path` with both, and compares everything but the times. `mpi_options` are for the
/// ranks.
void expect_same(const fs::path& path, int ranks, const std::string& options,
                 const std::string& mpi_options = "") {
  const test::TempDir folder;
  const Outcome alone = run_command(plain(segment(path, folder / "alone", options)));
  const Outcome spread =
      run_command(mpirun(ranks, segment(path, folder / "spread", options + " " + mpi_options)));
  ASSERT_TRUE(fs::exists(folder / "alone/frames.jsonl")) << options << "\n" << alone.text;
  ASSERT_EQ(spread.code, alone.code) << ranks << " ranks, " << options << "\n" << spread.text;
  EXPECT_EQ(contents(folder / "spread"), contents(folder / "alone"))
      << ranks << " ranks, " << options << mpi_options;
}

class Ranks : public testing::TestWithParam<int> {};

/// Everything that can be written, and the scores.
TEST_P(Ranks, GiveTheFilesOfAPlainProcess) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 1, true);
  expect_same(street, GetParam(),
              "--save label,overlay,birdseye,edges,ply,pcd,trace --overlay-style agents");
}

INSTANTIATE_TEST_SUITE_P(Mpi, Ranks, testing::Values(1, 2, 3, 4, 8, 16),
                         testing::PrintToStringParamName());

struct Case {
  int ranks;
  const char* options;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.ranks << " ranks " << c.options; }

class Options : public testing::TestWithParam<Case> {};

TEST_P(Options, GiveTheFilesOfAPlainProcess) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 1);
  expect_same(street, GetParam().ranks, std::string("--save label ") + GetParam().options);
}

/// Every solver with every objective; every topology and kind of shards. The solve itself is
/// compared for all combinations by mpi_channel_test.
constexpr Case kCases[] = {
    {3, "--solver destiny --topology ring --shards contiguous"},
    {4, "--solver drsgd --topology star --shards interleaved --truth none"},
    {16, "--solver drgta --topology path --shards random --threshold 0.15m"},
    {3, "--agents 40"},  // narrow shards: several planes are settled before one is chosen
    {4, "--agents 40 --links drop=0.1"},
    {5, "--agents 7 --topology grid --shards interleaved --loss welsch --links drop=0.1"},
    {8, "--objective l3 --iterations 300 --topology grid --shards random"},
    {3, "--objective l3 --iterations 300 --solver destiny --topology complete"},
    {16, "--objective l3 --iterations 300 --solver drsgd --shards contiguous --truth reference"},
    {2, "--objective l3 --iterations 300 --solver drgta --topology star --shards interleaved"},
    {3, "--solver dprgt --shards random"},
    {4, "--solver rextra --topology grid --shards contiguous"},
    {3, "--target ground"},
    {5, "--target ground --shards contiguous --topology ring --links drop=0.1"},
    {4, "--objective l3 --iterations 300 --solver dprgt --topology grid"},
    {2, "--objective l3 --iterations 300 --solver rextra --shards random"},
    {2, "--solver destiny --shards interleaved --wire bits=5"},
    {5, "--objective l3 --iterations 300 --solver rextra --topology ring --wire bits=11"},
    {16, "--links sleep=0.3,outage=2 --topology grid"},
    {16, "--links leave=9@60 --topology grid"},
    {3, "--objective l3 --iterations 300 --links leave=15@150 --wire half"},
};

INSTANTIATE_TEST_SUITE_P(Mpi, Options, testing::ValuesIn(kCases));

/// More ranks than agents, or told to: several frames at a time. The last of them may have fewer
/// ranks.
TEST(SeveralFramesAtATime, GiveTheFilesOfAPlainProcess) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 8);
  const std::string options = "--agents 4 --save label";
  expect_same(street, 6, options, "--ranks-per-frame 2");
  expect_same(street, 5, options);  // 4 and 1
  expect_same(street, 4, options, "--ranks-per-frame 1");
}

/// Two sequences of a bad frame each are tracked; poses are of the first one only.
TEST(Track, GivesTheFilesOfAPlainProcess) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "drive", 4);
  fs::resize_file(street / "velodyne/000002.bin", 16 * 100 + 7);
  fs::copy(street, street.parent_path() / "01", fs::copy_options::recursive);
  folder.write("drive/poses/00.txt", "1 0 0 0 0 1 0 0 0 0 1 0\n1 0 0 0 0 1 0 0 0 0 1 0.8\n");
  const std::string options = "--agents 4 --save label --track";
  expect_same(folder / "drive", 1, options, "--mpi");
  expect_same(folder / "drive", 2, options);
  expect_same(folder / "drive", 3, options, "--ranks-per-frame 2");
}

TEST(BadFrames, AreRecordedAndTheOthersGoOn) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 5);
  fs::resize_file(street / "velodyne/000001.bin", 16 * 100 + 7);
  fs::resize_file(street / "labels/000002.label", 40);
  fs::resize_file(street / "velodyne/000003.bin", 16 * 2);  // too few for a plane
  expect_same(street, 3, "");
}

TEST(RealFrames, GiveTheFilesOfAPlainProcess) {
  ROADPLANE_KITTI_OR_SKIP(data);
  expect_same(data / "raw/2011_09_26/2011_09_26_drive_0005_sync", 4, "--frames 1,45");
  expect_same(data / "pcd", 2, "--save label");
  expect_same(data / "dpcp_annotations/09_29_071", 3, "--save label");
}

}  // namespace
}  // namespace roadplane
