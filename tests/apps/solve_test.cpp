// `roadplane solve` as its user meets it.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "roadplane/base/counter_random.hpp"
#include "support/program.hpp"
#include "support/temp_dir.hpp"

namespace roadplane {
namespace {

using test::has;
using test::Outcome;

Outcome solve(const std::string& arguments) {
  return test::run_command(std::string(ROADPLANE_PROGRAM) + " solve " + arguments);
}

std::string some_points() {
  CounterRandom random(7, RandomUse::user);
  std::string text = "x;y;z\n";
  for (int j = 0; j < 100; ++j) {
    text += std::to_string(3 * random.normal()) + ";" + std::to_string(random.normal()) + ";" +
            std::to_string(0.1 * random.normal()) + "\n";
  }
  return text;
}

TEST(SolveProgram, PrintsAndWritesWhatItFound) {
  const test::TempDir dir;
  const std::string path = dir.write("points.csv", some_points()).string();
  const std::string out = (dir / "out").string();
  const Outcome outcome = solve(path + " --p 1 --centre --format npy --out " + out);
  EXPECT_EQ(outcome.code, 0) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "pca, n = 3, p = 1: 100 points over 16 agents")) << outcome.text;
  for (const char* file : {"X.npy", "solve.json", "trace.csv", "config.json", "command.txt"}) {
    EXPECT_TRUE(std::filesystem::exists(dir / "out" / file)) << file;
  }
  // The run's own configuration repeats it.
  const Outcome again =
      solve("--config " + out + "/config.json --quiet --out " + (dir / "again").string());
  EXPECT_EQ(again.code, 0) << again.text;
  EXPECT_EQ(again.text, "");
  EXPECT_EQ(test::text_of(dir / "out/X.npy"), test::text_of(dir / "again/X.npy"));
}

TEST(SolveProgram, RefusesInOneLineAndWritesNothing) {
  const test::TempDir dir;
  const std::string path = dir.write("points.csv", some_points()).string();
  const auto refused = [&](const std::string& arguments, const std::string& part, int code) {
    const Outcome outcome = solve(arguments + " --out " + (dir / "out").string());
    EXPECT_EQ(outcome.code, code) << outcome.text;
    EXPECT_TRUE(has(outcome.text, part)) << outcome.text;
    EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1) << outcome.text;
    EXPECT_FALSE(std::filesystem::exists(dir / "out")) << arguments;
  };
  refused("", "PATH: expected a .csv or .npy file, found nothing", 1);
  refused((dir / "none.csv").string(), "none.csv: expected a readable file, found no such file", 2);
  refused(dir.write("a.mat", "x").string(), "a.mat: expected a .csv or .npy file", 2);
  refused(dir.write("r.csv", "1,2\n3\n").string(), "r.csv: line 2: expected 2 columns", 2);
  refused(path + " --p 0", "--p: expected 1 to 100000, found 0", 1);
  refused(path + " --p 3", "--p: expected 1 to 2, found 3", 1);
  refused(path + " --agents 101 --topology ring", "--agents: expected at most the points, 100", 1);
  refused(path + " --objective robust", "--scale: expected for robust, a distance above 0", 1);
  refused(path + " --scale 1", "--scale: expected --objective robust with it, found pca", 1);
  refused(path + " --budget much", "--budget: expected messages=NUMBER", 1);
  refused(path + " --truth " + (dir / "none.npy").string(), "--truth: ", 1);
  refused(path + " --solver adam", "--solver: expected vrsgt", 1);
}

TEST(SolveProgram, NoSolutionIsExitCode3) {
  const test::TempDir dir;
  const std::string path = dir.write("points.csv", some_points()).string();
  const Outcome outcome = solve(path + " --step 100 --quiet --out " + (dir / "out").string());
  EXPECT_EQ(outcome.code, 3) << outcome.text;
  EXPECT_EQ(outcome.text, "roadplane: diverged: the step is too long\n");
  const Outcome empty =
      solve(path + " --objective robust --scale 1e-12 --quiet --out " + (dir / "empty").string());
  EXPECT_EQ(empty.code, 3);
  EXPECT_TRUE(has(empty.text, "points within the scale")) << empty.text;
}

}  // namespace
}  // namespace roadplane
