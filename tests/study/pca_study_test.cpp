// The PCA experiments in small.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "exponent.hpp"
#include "figure1.hpp"
#include "figure2.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"
#include "support/temp_dir.hpp"
#include "table1.hpp"

namespace roadplane {
namespace {

constexpr std::size_t kMostBytes = 1 << 20;

nlohmann::json read_json(const std::filesystem::path& file) {
  return nlohmann::json::parse(read_text_file(file, kMostBytes));
}

void expect_page(const std::filesystem::path& folder, const Outcome& outcome) {
  const std::string page = read_text_file(folder / "page.md", kMostBytes);
  for (const char* part : {"## Setting", "## What the paper shows", "## What we measured"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  ASSERT_FALSE(outcome.claims.empty());
  for (const Claim& claim : outcome.claims) {
    EXPECT_NE(page.find(claim.claim + " | " + (claim.agrees ? "yes" : "**no**")), std::string::npos)
        << claim.claim;
  }
}

TEST(FitExponent, FindsPowersOfKnownData) {
  const double x[] = {1, 2, 4, 8};
  const double root[] = {3, 3 * std::sqrt(2.0), 6, 3 * std::sqrt(8.0)};
  EXPECT_NEAR(*fit_exponent(x, root), 0.5, 1e-12);
  const double flat[] = {7, 7, 7, 7};
  EXPECT_NEAR(*fit_exponent(x, flat), 0, 1e-12);
  const double noisy[] = {1, 4.4, 16, 58};  // about x^2
  EXPECT_NEAR(*fit_exponent(x, noisy), 1.96, 0.02);
  const double same[] = {2, 2};
  EXPECT_FALSE(fit_exponent(same, std::span(x).first(2)));
  EXPECT_FALSE(fit_exponent({}, {}));
  EXPECT_THROW(fit_exponent(x, same), std::invalid_argument);
  const double negative[] = {1, -2, 4, 8};
  EXPECT_THROW(fit_exponent(negative, x), std::invalid_argument);
}

TEST(SpectrumProblem, HasThePrintedEigenvalues) {
  const SpectrumOptions options{
      .n = 12, .p = 3, .agents = 4, .samples_each = 50, .decay = 0.8, .scale = 5};
  const PcaProblem problem = make_spectrum_problem(options);
  ASSERT_EQ(problem.objectives.size(), 4U);
  EXPECT_EQ(problem.samples_each(), 50U);
  EXPECT_NEAR((problem.start.transpose() * problem.start - Eigen::MatrixXd::Identity(3, 3)).norm(),
              0, 1e-12);
  Eigen::MatrixXd moment = Eigen::MatrixXd::Zero(12, 12);
  Eigen::MatrixXd part(12, 12);
  for (const auto& objective : problem.objectives) {
    objective->gradient(Eigen::MatrixXd::Identity(12, 12), part);
    moment -= part / 4;
  }
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(moment).eigenvalues().reverse();
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(values(i), 5 * std::pow(0.8, i + 1), 1e-10);
}

TEST(ImageProblem, SharesOutAllPicturesAsGreyValues) {
  IdxImages images{5, 1, 2, {0, 255, 51, 0, 0, 0, 255, 255, 102, 204}};
  const PcaProblem problem = make_image_problem(images, 2, 1, 1);
  ASSERT_EQ(problem.objectives.size(), 2U);
  EXPECT_EQ(problem.objectives[0]->samples(), 2U);
  EXPECT_EQ(problem.objectives[1]->samples(), 3U);
  const Eigen::MatrixXd x = Eigen::Vector2d(1, 0);
  EXPECT_NEAR(problem.objectives[0]->value(x), -0.2 * 0.2 / 4, 1e-15);
  EXPECT_NEAR(problem.objectives[1]->value(x), -(1 + 0.4 * 0.4) / 6, 1e-15);
}

Figure1Options small_figure1() {
  Figure1Options options;
  options.problem = {.n = 20, .p = 2, .agents = 4, .samples_each = 100, .decay = 0.7, .scale = 20};
  options.step = 5e-3;
  options.rounds = 800;
  options.trace_every = 20;
  options.penalties = {0.1, 10};
  return options;
}

TEST(Figure1, CurvesOfPenaltiesAreAlike) {
  const test::TempDir folder;
  const Figure1 figure = measure_figure1(small_figure1(), {});
  const Outcome outcome = write_figure1(figure, folder.path());
  EXPECT_TRUE(outcome.agrees());
  expect_page(folder.path(), outcome);
  EXPECT_EQ(read_json(folder / "figure1.json")["curves"].size(), 6U);  // two penalties, three seeds
  EXPECT_TRUE(std::filesystem::exists(folder / "figure1.png"));
  EXPECT_TRUE(std::filesystem::exists(folder / "figure1.csv"));
}

TEST(Figure1, AStepThatDivergesDoesNotAgree) {
  const test::TempDir folder;
  Figure1Options options = small_figure1();
  options.step = 0.5;
  const Outcome outcome = write_figure1(measure_figure1(options, {}), folder.path());
  EXPECT_EQ(outcome.agreeing(), 0U);
  EXPECT_NE(outcome.claims[0].why.find("not every penalty"), std::string::npos);
}

TEST(Figure2, VrsgtEndsBelowTunedDrsgdOnEveryNetwork) {
  const test::TempDir folder;
  Figure2Options options;
  options.agents = 5;
  options.p = 2;
  options.rounds = 1500;
  options.steps = {100, 0.1, 0.02};  // with the first one VRSGT diverges
  options.trace_entries = 30;
  const PcaProblem problem =
      make_spectrum_problem({.n = 15, .p = 2, .agents = 5, .samples_each = 100, .decay = 0.6});
  const Figure2 figure = measure_figure2(problem, "a test (small)", options, {});
  const Outcome outcome = write_figure2(figure, folder.path());
  EXPECT_TRUE(outcome.agrees());
  expect_page(folder.path(), outcome);
  ASSERT_EQ(figure.networks.size(), 3U);
  for (const Figure2Network& network : figure.networks) {
    EXPECT_EQ(network.trials.size(), 12U);  // three steps: VRSGT, and DRSGD in three schedules
    EXPECT_TRUE(std::isinf(network.trials[0].stagap));
    EXPECT_LT(network.best[0].step, 100);
    // The curve of the choice ends where the tuning said it would.
    double best = 1e300;
    for (const auto& trial : network.trials) {
      if (trial.candidate.vrsgt) best = std::min(best, trial.stagap);
    }
    EXPECT_EQ(network.traces[0].trace.back().gap.total(), best);
  }
  for (const char* file : {"figure2_ring.png", "figure2_star.csv", "figure2_erdos-renyi.png",
                           "figure2_tuning.csv", "figure2.json"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / file)) << file;
  }
}

TEST(Figure2, WithoutMnistTheTitleSaysSo) {
  const test::TempDir folder;
  Figure2Options options;
  options.agents = 1;
  std::string description;
  folder.write("mnist/train-images-idx3-ubyte", "not an IDX file at all");
  EXPECT_THROW(find_mnist(folder.path(), options, description), InputError);
  std::filesystem::remove_all(folder / "mnist");
  find_mnist(folder.path(), options, description);
  EXPECT_NE(description.find("NOT MNIST"), std::string::npos);
}

TEST(Table1, VrsgtNeedsTheSquareRootOfTheSamples) {
  const test::TempDir folder;
  Table1Options options;
  options.problem = {.n = 30, .p = 3, .agents = 8, .samples_each = 256, .decay = 0.97};
  options.samples_each = {256, 4096};
  options.agents = {8, 16};
  options.steps = {0.1};  // the same for every l, so that exponents are clean
  options.drsgd_gaps = {3e-2, 1e-2};
  options.drsgd_steps = {0.05, 0.02};
  options.most_drsgd_iterations = 4000;
  options.seeds = 2;
  const Table1 table = measure_table1(options, {});
  const Outcome outcome = write_table1(table, folder.path());
  expect_page(folder.path(), outcome);
  EXPECT_EQ(outcome.claims.size(), 5U * 2 + 1);
  EXPECT_EQ(table.growths.size(), 5U * 6);  // methods; 2 costs, 3 variables
  for (const Growth& growth : table.growths) {
    ASSERT_EQ(growth.measured.size(), 2U) << growth.method << growth.variable;
    if (growth.cost != "samples" || growth.variable != "l") continue;
    if (growth.method == "VRSGT") {
      EXPECT_NEAR(*growth.median(), 0.5, 0.2);
    } else if (growth.method == "DRGTA, t = 1") {
      EXPECT_NEAR(*growth.median(), 1, 0.05);
    }
  }
  EXPECT_EQ(read_json(folder / "table1.json")["exponents"].size(), 30U);
  EXPECT_TRUE(std::filesystem::exists(folder / "table1.png"));
}

TEST(Table1, RoundsOfTheTheory) {
  EXPECT_EQ(rounds_of_theory(0.5, 16), 3);  // 0.5^3 = 1/8 = 1 / (2 sqrt 16)
  EXPECT_EQ(rounds_of_theory(0.949, 16), 40);
  EXPECT_EQ(rounds_of_theory(0.01, 4), 1);
}

}  // namespace
}  // namespace roadplane
