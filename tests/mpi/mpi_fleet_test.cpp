// `mpirun -np R roadplane fleet`: the files of a plain process, by ranks that open the files of
// their own vehicles only.

#include <gtest/gtest.h>

#include "mpi_program.hpp"
#include "support/temp_dir.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;
using test::contents;
using test::Outcome;
using test::run_command;

fs::path make_fleet(const fs::path& folder, int vehicles) {
  const Outcome made = run_command(
      fmt::format("{} synth {} --vehicles {} --frames 1 --points-per-frame 6000 --height-noise-m "
                  "0.1",
                  ROADPLANE_PROGRAM, folder.string(), vehicles));
  EXPECT_EQ(made.code, 0) << made.text;
  return folder;
}

std::string fleet(const fs::path& path, const fs::path& out, const std::string& options = "") {
  return fmt::format("fleet {} --quiet --out {} {}", path.string(), out.string(), options);
}

TEST(MpiFleet, GivesTheFilesOfAPlainProcess) {
  const test::TempDir folder;
  const fs::path path = make_fleet(folder / "fleet", 5);
  fs::remove(path / "1/000000.yaml");  // one cannot take part: ranks and agents are not in step
  const Outcome alone = run_command(test::plain(fleet(path, folder / "alone")));
  ASSERT_EQ(alone.code, 3) << alone.text;
  const auto expected = contents(folder / "alone");
  EXPECT_TRUE(expected.contains("vehicles.jsonl"));
  for (const int ranks : {2, 6}) {  // of six one has no vehicle
    const fs::path out = folder / fmt::format("ranks{}", ranks);
    const Outcome spread = run_command(test::mpirun(ranks, fleet(path, out)));
    ASSERT_EQ(spread.code, 3) << spread.text;
    EXPECT_TRUE(contents(out) == expected) << ranks;
  }
}

TEST(MpiFleet, PartsOfTheFleetAreSolvedByTheirRanksAlone) {
  const test::TempDir folder;
  const fs::path path = make_fleet(folder / "fleet", 6);
  const std::string options = "--radio-range 12";
  ASSERT_EQ(run_command(test::plain(fleet(path, folder / "alone", options))).code, 0);
  ASSERT_EQ(run_command(test::mpirun(3, fleet(path, folder / "spread", options))).code, 0);
  EXPECT_TRUE(contents(folder / "spread") == contents(folder / "alone"));
}

TEST(MpiFleet, TracksTheSameMomentsWhoeverHostsTheVehicles) {
  const test::TempDir folder;
  const Outcome made =
      run_command(fmt::format("{} synth {} --vehicles 3 --frames 3 --points-per-frame 6000",
                              ROADPLANE_PROGRAM, (folder / "fleet").string()));
  ASSERT_EQ(made.code, 0) << made.text;
  const std::string options = "--track --agents-per-vehicle 2 --save label";
  ASSERT_EQ(run_command(test::plain(fleet(folder / "fleet", folder / "alone", options))).code, 0);
  ASSERT_EQ(run_command(test::mpirun(3, fleet(folder / "fleet", folder / "spread", options))).code,
            0);
  const auto expected = contents(folder / "alone");
  EXPECT_TRUE(expected.contains("mount.json"));
  EXPECT_TRUE(contents(folder / "spread") == expected);
}

/// Every rank has a disk of its own, on which the other vehicles' folders are empty.
TEST(MpiFleet, ARankOpensNoOtherVehiclesFiles) {
  const test::TempDir folder;
  const fs::path path = make_fleet(folder / "fleet", 3);
  std::string programs;
  for (int rank = 0; rank < 3; ++rank) {
    const fs::path disk = folder / fmt::format("disk{}", rank);
    for (int vehicle = 0; vehicle < 3; ++vehicle)
      fs::create_directories(disk / std::to_string(vehicle));
    fs::copy(path / std::to_string(rank), disk / std::to_string(rank), fs::copy_options::recursive);
    programs += fmt::format("{} -np 1 {} {}", rank == 0 ? "" : " :", ROADPLANE_PROGRAM,
                            fleet(disk, folder / "spread"));
  }
  const Outcome spread = run_command(test::mpirun(programs));
  ASSERT_EQ(spread.code, 0) << spread.text;
  ASSERT_EQ(run_command(test::plain(fleet(path, folder / "alone"))).code, 0);
  auto found = contents(folder / "spread");
  auto expected = contents(folder / "alone");
  for (const char* name : {"config.json", "summary.json"}) {  // they name the folder
    found.erase(name);
    expected.erase(name);
  }
  EXPECT_TRUE(found.contains("vehicles.jsonl"));
  EXPECT_TRUE(found == expected);
}

}  // namespace
}  // namespace roadplane
