#include "roadplane/network/mixing_matrix.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

#include "roadplane/base/input_error.hpp"

namespace roadplane {
namespace {

constexpr MixingKind kAll[] = {MixingKind::metropolis, MixingKind::lazy_metropolis,
                               MixingKind::max_degree};

std::vector<Graph> small_graphs() {
  return {Graph::path(7),
          Graph::ring(16),
          Graph::star(16),
          Graph::complete(5),
          Graph::grid(3, 4),
          Graph::path(1),
          Graph::erdos_renyi(16, 0.5, 2)};
}

TEST(MixingMatrix, IsSymmetricNonNegativeDoublyStochasticAndLocal) {
  for (const Graph& graph : small_graphs()) {
    for (const MixingKind kind : kAll) {
      const Eigen::MatrixXd w = MixingMatrix(graph, kind).dense();
      EXPECT_EQ(w, w.transpose());
      EXPECT_GE(w.minCoeff(), 0);
      EXPECT_NEAR((w.rowwise().sum().array() - 1).abs().maxCoeff(), 0, 1e-14);
      EXPECT_NEAR((w.colwise().sum().array() - 1).abs().maxCoeff(), 0, 1e-14);
      for (int i = 0; i < graph.size(); ++i) {
        for (int j = 0; j < graph.size(); ++j) {
          EXPECT_TRUE(i == j || graph.linked(i, j) || w(i, j) == 0);
        }
      }
    }
  }
}

TEST(MixingMatrix, KnownSlem) {
  EXPECT_NEAR(MixingMatrix(Graph::ring(16)).slem(), 0.94925, 1e-5);
  EXPECT_NEAR(MixingMatrix(Graph::star(16)).slem(), 0.93750, 1e-5);
  EXPECT_NEAR(MixingMatrix(Graph::ring(32)).slem(), 0.98719, 1e-5);
  EXPECT_NEAR(MixingMatrix(Graph::star(32)).slem(), 0.96875, 1e-5);
  // A ring's eigenvalues are (1 + 2 cos(2 pi k / d)) / 3; the lazy ones are half-way to 1.
  const double ring = (1 + 2 * std::cos(2 * std::numbers::pi / 24)) / 3;
  EXPECT_NEAR(MixingMatrix(Graph::ring(24)).slem(), ring, 1e-12);
  EXPECT_NEAR(MixingMatrix(Graph::ring(24), MixingKind::lazy_metropolis).slem(), (1 + ring) / 2,
              1e-12);
  EXPECT_EQ(MixingMatrix(Graph::complete(8)).slem(), 0);
  EXPECT_EQ(MixingMatrix(Graph::path(1)).slem(), 0);
}

TEST(MixingMatrix, SlemOfManyAgents) {
  // Beyond 512 agents it comes from an iteration on the sparse rows.
  for (const int agents : {513, 4000}) {
    const double ring = (1 + 2 * std::cos(2 * std::numbers::pi / agents)) / 3;
    EXPECT_NEAR(MixingMatrix(Graph::ring(agents)).slem(), ring, 1e-12);
    const double star = 1 - 1.0 / agents;
    EXPECT_NEAR(MixingMatrix(Graph::star(agents)).slem(), star, 1e-12);
  }
  EXPECT_EQ(MixingMatrix(Graph::complete(600)).slem(), 0);
  for (const MixingKind kind : kAll) {
    const MixingMatrix mixing(Graph::erdos_renyi(600, 0.02, 1), kind);
    const Eigen::VectorXd all = mixing.dense().selfadjointView<Eigen::Lower>().eigenvalues();
    const double slem = std::max(-all(0), all(598));
    EXPECT_NEAR(mixing.slem(), slem, 1e-8);
  }
}

TEST(MixingMatrix, MetropolisWeights) {
  const Eigen::MatrixXd w = MixingMatrix(Graph::path(3)).dense();
  EXPECT_NEAR(w(0, 1), 1.0 / 3, 1e-15);
  EXPECT_NEAR(w(0, 0), 2.0 / 3, 1e-15);
  EXPECT_NEAR(w(1, 1), 1.0 / 3, 1e-15);
}

TEST(MixingMatrix, WeightsOfOnesOwnAreChecked) {
  const Graph path = Graph::path(3);
  const Eigen::MatrixXd good = MixingMatrix(path).dense();
  EXPECT_NO_THROW(MixingMatrix(path, good));
  const auto refused = [&](const auto& spoil) {
    Eigen::MatrixXd w = good;
    spoil(w);
    EXPECT_THROW(MixingMatrix(path, w), InputError);
  };
  refused([](auto& w) { w(0, 1) += 0.1; });  // not symmetric
  refused([](auto& w) { w(1, 1) += 0.1; });  // row sum
  refused([](auto& w) {
    w(0, 2) = w(2, 0) = 0.1;
    w(0, 0) -= 0.1;
    w(2, 2) -= 0.1;
  });  // no link
  refused([](auto& w) {
    w(0, 1) = w(1, 0) = -0.2;
    w(0, 0) = 1.2;
  });  // negative
  refused([](auto& w) { w(0, 0) = NAN; });
  EXPECT_THROW(MixingMatrix(path, Eigen::MatrixXd::Identity(2, 2)), InputError);
}

TEST(MixingMatrix, NamesRoundTrip) {
  for (const MixingKind kind : kAll) EXPECT_EQ(mixing_kind_from_string(to_string(kind)), kind);
  EXPECT_THROW(mixing_kind_from_string("uniform"), InputError);
}

}  // namespace
}  // namespace roadplane
