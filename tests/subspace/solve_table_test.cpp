// From a file to X, and everything that is refused on the way.

#include "roadplane/subspace/solve_table.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "roadplane/base/file.hpp"
#include "support/input_error.hpp"
#include "support/random_data.hpp"
#include "support/temp_dir.hpp"

namespace roadplane {
namespace {

using test::TempDir;

std::string text_of(const Eigen::MatrixXd& rows) {
  NumberTable table{
      static_cast<std::size_t>(rows.rows()), static_cast<std::size_t>(rows.cols()), {}};
  for (Eigen::Index r = 0; r < rows.rows(); ++r) {
    for (Eigen::Index c = 0; c < rows.cols(); ++c) table.values.push_back(rows(r, c));
  }
  return to_csv(table);
}

/// 200 points of 4 coordinates that spread by 3, 2, 1 and 0.5.
Eigen::MatrixXd rows() {
  Eigen::MatrixXd points = test::random_matrix(200, 4, 1);
  points *= Eigen::Vector4d(3, 2, 1, 0.5).asDiagonal();
  return points;
}

SolveConfig config_of(const std::filesystem::path& path) {
  SolveConfig config;
  config.path = path.string();
  config.agents = 5;
  config.p = 2;
  return config;
}

TEST(SolveTable, GivesTheComponentsInOrder) {
  const TempDir dir;
  SolveConfig config = config_of(dir.write("a.csv", text_of(rows())));
  config.truth = dir.write("truth.csv", "1,0\n0,1\n0,0\n0,0\n").string();
  const Solved solved = solve_table(config, SingleProcess());
  const SolveRecord& record = solved.record;
  EXPECT_EQ(record.termination, Termination::converged);
  EXPECT_EQ(record.points, 200U);
  EXPECT_EQ(record.n, 4);
  ASSERT_EQ(record.exact_eigenvalues.size(), 2U);
  for (int c = 0; c < 2; ++c) {
    EXPECT_NEAR(record.columns[c].mean_square, record.exact_eigenvalues[c], 1e-8);
  }
  EXPECT_GT(record.exact_eigenvalues[0], record.exact_eigenvalues[1]);
  EXPECT_LT(*record.exact_subspace_error, 1e-7);
  EXPECT_LT(*record.subspace_error, 0.2);  // of a sample
  EXPECT_GT(solved.x(0, 0), 0.9);          // the largest entry is positive
  EXPECT_NEAR((solved.x.transpose() * solved.x - Eigen::Matrix2d::Identity()).norm(), 0, 1e-12);
  ASSERT_EQ(solved.trace_errors.size(), solved.trace.size());
  EXPECT_NEAR(solved.trace_errors.back(), *record.subspace_error, 1e-9);
  EXPECT_GT(solved.trace_errors.front(), *record.subspace_error);
}

TEST(SolveTable, OrdersTheColumnsOfL3ByTheirMean) {
  const TempDir dir;
  SolveConfig config = config_of(dir.write("a.csv", text_of(rows())));
  config.objective = "l3";
  config.p = 4;
  config.truth = dir.write("truth.csv", "0\n0\n0\n1\n").string();
  const Solved solved = solve_table(config, SingleProcess());
  for (int c = 1; c < 4; ++c) {
    EXPECT_LE(solved.record.columns[c - 1].mean_abs, solved.record.columns[c].mean_abs);
  }
  EXPECT_TRUE(solved.record.subspace_error.has_value());
  EXPECT_TRUE(solved.trace_errors.empty());  // of all four columns the truth says nothing
}

TEST(SolveTable, WritesWhatItFound) {
  const TempDir dir;
  SolveConfig config = config_of(dir.write("a.csv", text_of(rows())));
  config.trace_every = 10;
  config.truth = dir.write("truth.csv", "1,0\n0,1\n0,0\n0,0\n").string();
  const Solved solved = solve_table(config, SingleProcess());
  for (const char* format : {"csv", "npy"}) {
    config.format = format;
    write_solved(solved, config, dir.path());
    const NumberTable x = read_table(dir / (std::string("X.") + format));
    EXPECT_EQ(x.rows, 4U);
    EXPECT_EQ(x(2, 1), solved.x(2, 1));  // to the last bit
  }
  const auto json = nlohmann::json::parse(read_text_file(dir / "solve.json", 1 << 20));
  EXPECT_EQ(json["termination"], "converged");
  EXPECT_EQ(json["columns"].size(), 2U);
  EXPECT_EQ(json["rounds"], solved.record.traffic.rounds);
  const std::string trace = read_text_file(dir / "trace.csv", 1 << 24);
  EXPECT_NE(trace.find(",subspace_error\n0,"), std::string::npos);
  EXPECT_NE(trace.find("\n20,"), std::string::npos);
  EXPECT_NE(solved_text(solved, config).find("against the exact components"), std::string::npos);
}

TEST(SolveTable, ABudgetEndsIt) {
  const TempDir dir;
  SolveConfig config = config_of(dir.write("a.csv", text_of(rows())));
  config.budget = "rounds=40";
  EXPECT_EQ(solve_table(config, SingleProcess()).record.termination, Termination::round_limit);
  config.budget = "messages=40";
  EXPECT_EQ(solve_table(config, SingleProcess()).record.termination, Termination::message_limit);
  config.budget = "samples=500";
  EXPECT_EQ(solve_table(config, SingleProcess()).record.termination, Termination::sample_limit);
  config.budget = "";
  config.iterations = 7;
  const SolveRecord record = solve_table(config, SingleProcess()).record;
  EXPECT_EQ(record.termination, Termination::iteration_limit);
  EXPECT_EQ(record.iterations, 7);
}

TEST(SolveTable, SaysWhichFieldIsWrong) {
  const TempDir dir;
  const std::string path = dir.write("a.csv", text_of(rows())).string();
  const std::string vector = dir.write("vector.csv", "1\n0\n0\n").string();
  const std::string wide = dir.write("wide.csv", "1,0,0\n0,1,0\n0,0,1\n0,0,0\n").string();
  const std::string flat = dir.write("flat.csv", "1,2\n2,4\n3,6\n4,8\n").string();
  const auto refused = [&](const std::string& field, const std::string& found, auto&& change) {
    SolveConfig config = config_of(path);
    change(config);
    test::expect_one_line([&] { solve_table(config, SingleProcess()); }, field, found);
  };
  refused("p", "4", [](auto& c) { c.p = 4; });  // of n = 4, for pca
  refused("p", "5", [](auto& c) { c.objective = "l3", c.p = 5; });
  refused("p", "0", [](auto& c) { c.p = 0; });
  refused("agents", "201", [](auto& c) { c.agents = 201, c.topology = "ring"; });
  refused("objective", "\"svd\"", [](auto& c) { c.objective = "svd"; });
  refused("scale", "0", [](auto& c) { c.objective = "robust"; });
  refused("scale", "pca", [](auto& c) { c.scale = 1; });
  refused("loss", "\"l7\"", [](auto& c) { c.loss = "l7"; });
  refused("whiten", "\"maybe\"", [](auto& c) { c.whiten = "maybe"; });
  refused("whiten", "yes", [](auto& c) { c.whiten = "yes"; });
  refused("start", "spectral", [](auto& c) { c.start = "spectral"; });
  refused("start", "\"home\"", [](auto& c) { c.start = "home"; });
  refused("start", "no such file", [&](auto& c) { c.start = (dir / "none.csv").string(); });
  refused("start", "4 x 3", [&](auto& c) { c.start = wide; });
  refused("truth", "3 x 1", [&](auto& c) { c.truth = vector; });
  refused("truth", "3 in", [&](auto& c) { c.truth = wide; });
  refused("truth", "a rank of 1", [&](auto& c) { c.truth = flat; });
  refused("normalise", "\"rows\"", [](auto& c) { c.normalise = "rows"; });
  refused("shards", "azimuth", [](auto& c) { c.shards = "azimuth"; });
  refused("topology", "\"torus\"", [](auto& c) { c.topology = "torus"; });
  refused("mixing", "\"even\"", [](auto& c) { c.mixing = "even"; });
  refused("links", "2", [](auto& c) { c.links = "drop=2"; });
  refused("wire", "double", [](auto& c) { c.wire = "double"; });
  refused("solver", "\"adam\"", [](auto& c) { c.solver = "adam"; });
  refused("schedule", "vrsgt", [](auto& c) { c.schedule = "inverse"; });
  refused("schedule", "\"cosine\"", [](auto& c) { c.solver = "drsgd", c.schedule = "cosine"; });
  refused("penalty", "drsgd", [](auto& c) { c.solver = "drsgd", c.penalty = 1; });
  refused("budget", "\"rounds\"", [](auto& c) { c.budget = "rounds"; });
  refused("format", "\"mat\"", [](auto& c) { c.format = "mat"; });
}

TEST(SolveTable, SaysWhatIsWrongWithTheFile) {
  const TempDir dir;
  const auto refused = [&](const std::string& name, const std::string& content,
                           const std::string& where, const std::string& found, auto&& change) {
    SolveConfig config = config_of(dir.write(name, content));
    config.agents = 2;
    config.p = 1;
    change(config);
    test::expect_one_line([&] { solve_table(config, SingleProcess()); },
                          (dir / name).string() + where, found);
  };
  const auto as_is = [](SolveConfig&) {};
  refused("a.csv", "1,2\n3\n", ": line 2", "1", as_is);
  refused("a.csv", "1,2\n3,nan\n", ": line 2, column 2", "\"nan\"", as_is);
  refused("a.csv", "", "", "none", as_is);
  refused("a.txt", "1,2\n", "", "\".txt\"", as_is);
  refused("a.npy", "1,2\n", "", "other content", as_is);
  refused("a.csv", "1e200,0\n0,1e200\n1,2\n", ": points", "a curvature of inf", as_is);
  refused("a.csv", "0,0\n0,0\n0,0\n", ": points", "a curvature of 0", as_is);
  refused("a.csv", "5,5\n5,5\n5,5\n", ": points", "a curvature of 0",
          [](SolveConfig& c) { c.centre = true; });
  refused("a.csv", "1,5\n2,5\n3,5\n", ": column 2", "always 5",
          [](SolveConfig& c) { c.normalise = "features"; });
  refused("a.csv", "1,2,5\n2,4,5\n3,6,5\n0,1,5\n", ": points", "none in 1 of them",
          [](SolveConfig& c) { c.centre = true, c.objective = "l3", c.p = 2; });
}

}  // namespace
}  // namespace roadplane
