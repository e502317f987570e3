// Where VRSGT pays, in small.

#include "crossover.hpp"

#include <gtest/gtest.h>

#include "roadplane/base/file.hpp"
#include "roadplane/network/graph.hpp"
#include "support/temp_dir.hpp"

namespace roadplane {
namespace {

TEST(HyperplaneProblem, TheMinimiserIsStationaryAndNearWhatWasDrawn) {
  for (const int n : {4, 20}) {
    const HyperplaneProblem problem = make_hyperplane_problem({.n = n, .samples_each = 400});
    Eigen::MatrixXd mean = Eigen::MatrixXd::Zero(n, 1);
    Eigen::MatrixXd gradient = mean;
    for (const auto& objective : problem.objectives) {
      objective->gradient(problem.minimiser, gradient);
      mean += gradient / static_cast<double>(problem.objectives.size());
    }
    mean -= problem.minimiser * problem.minimiser.col(0).dot(mean.col(0));
    EXPECT_LT(mean.norm(), 1e-12);
    EXPECT_LT(problem.off_rad, 0.02);
    EXPECT_NEAR(problem.error(3 * problem.start), std::sin(0.3), 1e-12);
    EXPECT_NEAR(problem.error(-problem.minimiser), 0, 1e-12);
  }
}

class SmallCrossover : public testing::Test {
 protected:
  static const Crossover& study() {
    static const Crossover measured = [] {
      CrossoverOptions options;
      options.problem.n = 8;
      options.problem.samples_each = 256;
      options.dimensions = {4, 8, 32};
      options.hard_dimensions = {4, 8};
      options.samples_each = {32, 256, 2048};
      options.inner = {4, 16};
      options.batches = {8, 32};
      options.tolerances = {0.1, 1e-3, 1e-6};
      options.seeds = 2;
      return measure_crossover(options, {});
    }();
    return measured;
  }
};

TEST_F(SmallCrossover, EveryMethodGetsThereAndASmallerErrorTakesMore) {
  for (const char* method : {"VRSGT", "DESTINY", "gossip-IRLS"}) {
    for (const char* cost : {"bytes", "rounds", "samples"}) {
      double before = 0;
      for (const double error : study().options.errors) {
        const auto amount = study().amount(method, cost, {32, 256, 4}, 1, error);
        ASSERT_TRUE(amount) << method << cost << error;
        EXPECT_GE(*amount, before);
        before = *amount;
      }
    }
  }
  EXPECT_FALSE(study().amount("VRSGT", "bytes", {5, 256, 4}, 1, 1e-4));
}

/// Bytes follow from the rounds and the sizes of messages, but for a few floods of one number.
TEST_F(SmallCrossover, BytesAreThoseOfMatricesAndMoments) {
  const auto ratio = [&](const char* method) {
    return *study().amount(method, "bytes", {32, 256, 4}, 1, 1e-6) /
           *study().amount(method, "rounds", {32, 256, 4}, 1, 1e-6);
  };
  const double degree = Graph::erdos_renyi(16, 0.5, 1).edge_count() * 2.0 / 16;
  EXPECT_NEAR(ratio("DESTINY") / (4 * 32 * degree), 1, 0.1);
  EXPECT_NEAR(ratio("gossip-IRLS") / (4 * 32 * 33 / 2 * degree), 1, 0.2);
}

TEST_F(SmallCrossover, ThePageHoldsCrossingsAndClaims) {
  const test::TempDir folder;
  const Outcome outcome = write_crossover(study(), folder.path());
  EXPECT_EQ(outcome.claims.size(), 12U);
  const std::string page = read_text_file(folder / "page.md", 1 << 20);
  for (const Claim& claim : outcome.claims) {
    EXPECT_NE(page.find(claim.claim + " | " + (claim.agrees ? "yes" : "**no**")),
              std::string::npos);
  }
  for (const char* file :
       {"crossover.csv", "crossover.json", "crossover_bytes.png", "crossover_bytes.svg",
        "crossover_rounds.png", "crossover_samples.svg"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / file)) << file;
  }
  ASSERT_EQ(study().crossings.size(), 24U);
}

TEST(Crossing, IsTheMedianOverTheSeedsIfMostHaveOne) {
  Crossing crossing;
  crossing.at = {5.0, std::nullopt, 7.0};
  EXPECT_EQ(crossing.found(), 2U);
  EXPECT_EQ(crossing.median(), 7.0);
  crossing.at = {5.0, std::nullopt, std::nullopt};
  EXPECT_FALSE(crossing.median());
}

}  // namespace
}  // namespace roadplane
