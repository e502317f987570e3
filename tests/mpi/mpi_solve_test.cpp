// `mpirun -np R roadplane solve` against a plain process: the same X and the same record.

#include <gtest/gtest.h>

#include <sstream>

#include "mpi_program.hpp"
#include "roadplane/base/counter_random.hpp"
#include "support/temp_dir.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;
using test::mpirun;
using test::Outcome;
using test::plain;
using test::run_command;

/// 303 points of 5 coordinates, half of them near a subspace of 3.
fs::path write_points(const test::TempDir& folder) {
  CounterRandom random(7, RandomUse::user);
  std::ostringstream text;
  text.precision(17);
  for (int j = 0; j < 303; ++j) {
    for (int c = 0; c < 5; ++c) {
      text << (c > 0 ? "," : "") << random.normal() * (j % 2 == 0 && c > 2 ? 0.02 : 1 + c % 2);
    }
    text << "\n";
  }
  return folder.write("points.csv", text.str());
}

/// Everything but the times.
std::string result_of(const fs::path& folder) {
  auto record = nlohmann::json::parse(test::text_of(folder / "solve.json"));
  record.erase("seconds");
  std::string all = record.dump() + test::text_of(folder / "X.csv");
  std::istringstream trace(test::text_of(folder / "trace.csv"));
  for (std::string line; std::getline(trace, line);) {
    std::vector<std::string> fields;
    std::istringstream words(line);
    for (std::string word; std::getline(words, word, ',');) fields.push_back(word);
    fields.at(10) = "";
    for (const std::string& field : fields) all += field + ",";
  }
  return all;
}

TEST(Solve, GivesTheSameOverAnyRanks) {
  const test::TempDir folder;
  const std::string path = write_points(folder).string();
  struct SolveCase {
    int ranks;
    const char* options;
  };
  const SolveCase cases[] = {
      {2, "--objective pca --p 2 --centre --normalise features"},
      {3, "--objective l3 --p 2 --agents 7 --topology ring --iterations 500"},
      {4, "--objective robust --scale 0.2 --p 2 --shards random --solver destiny"},
      {5, "--objective robust --scale 0.2 --p 1 --homogeneous --normalise points --agents 5"},
      {2, "--objective l3 --p 5 --solver drsgd --iterations 300 --links drop=0.1"},
      {3, "--objective pca --p 2 --solver dprgt --wire bits=7 --iterations 300"},
      {2, "--objective pca --p 2 --solver rextra --wire half --iterations 300"},
      {4, "--objective pca --p 2 --solver drgta --iterations 300 --links sleep=0.3,leave=3@100"},
  };
  int k = 0;
  for (const auto& [ranks, options] : cases) {
    const fs::path alone = folder / ("alone" + std::to_string(++k));
    const fs::path spread = folder / ("spread" + std::to_string(k));
    const std::string rest = " --quiet " + std::string(options) + " --out ";
    const Outcome one = run_command(plain("solve " + path + rest + alone.string()));
    ASSERT_EQ(one.code, 0) << options << "\n" << one.text;
    const Outcome many = run_command(mpirun(ranks, "solve " + path + rest + spread.string()));
    ASSERT_EQ(many.code, 0) << options << "\n" << many.text;
    EXPECT_EQ(result_of(spread), result_of(alone)) << ranks << " ranks, " << options;
  }
}

TEST(Solve, RefusesInOneLineWhateverTheRanks) {
  const test::TempDir folder;
  const std::string path = write_points(folder).string();
  const auto refused = [&](const std::string& arguments, const std::string& part) {
    const Outcome outcome =
        run_command(mpirun(3, "solve " + arguments + " --out " + (folder / "out").string()));
    EXPECT_NE(outcome.text.find(part), std::string::npos) << outcome.text;
    const auto first = outcome.text.find("roadplane: ");  // mpirun has its own to say after it
    EXPECT_EQ(first, outcome.text.rfind("roadplane: ")) << outcome.text;
    EXPECT_FALSE(fs::exists(folder / "out"));
  };
  refused(path + " --p 5", "--p: expected 1 to 4, found 5");
  refused(path + " --agents 2", "--agents: expected at least the ranks, 3, found 2");
  refused(path + " --budget seconds=1", "--budget: expected all agents in one process");
  refused((folder / "none.csv").string(), "none.csv: expected a readable file");
  refused(folder.write("flat.csv", "1,2,5\n2,4,5\n3,6,5\n0,1,5\n").string() +
              " --agents 4 --normalise features",
          "flat.csv: column 3: expected numbers that differ, found always 5");
}

}  // namespace
}  // namespace roadplane
