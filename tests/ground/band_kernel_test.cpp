#include "roadplane/kernels/band_kernel.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <vector>

#include "roadplane/base/counter_random.hpp"

namespace roadplane {
namespace {

constexpr int kUnknowns = 61;

/// As a walk has it: unknowns are drawn to values and some to one another.
Eigen::MatrixXd drawn_together(int band) {
  CounterRandom random(7, RandomUse::user);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(kUnknowns, kUnknowns);
  for (int k = 0; k < kUnknowns; ++k) {
    matrix(k, k) += 0.1 + random.uniform();
    for (const int ahead : {1, band}) {
      if (k + ahead >= kUnknowns || random.below(4) == 0) continue;
      const double link = 25 * random.uniform();
      matrix(k, k) += link;
      matrix(k + ahead, k + ahead) += link;
      matrix(k, k + ahead) -= link;
      matrix(k + ahead, k) -= link;
    }
  }
  return matrix;
}

std::vector<float> solved(Isa isa, const Eigen::MatrixXd& matrix, int band,
                          const Eigen::VectorXd& right) {
  const auto width = static_cast<std::size_t>(band) + BandedEquations::kTogether;
  std::vector<float> entries(kUnknowns * width, 0.0F);
  for (int k = 0; k < kUnknowns; ++k) {
    for (int ahead = 0; ahead <= band && k + ahead < kUnknowns; ++ahead) {
      entries[static_cast<std::size_t>(k) * width + static_cast<std::size_t>(ahead)] =
          static_cast<float>(matrix(k, k + ahead));
    }
  }
  std::vector<float> values(kUnknowns + width, 0.0F);
  for (int k = 0; k < kUnknowns; ++k)
    values[static_cast<std::size_t>(k)] = static_cast<float>(right(k));
  band_kernel(isa)({entries.data(), kUnknowns, static_cast<std::size_t>(band), width},
                   values.data());
  return values;
}

TEST(BandKernel, SolvesExactlyAndAlikeWithEveryInstructionSet) {
  for (const int band : {2, 7, 8, 16, 33}) {
    const Eigen::MatrixXd matrix = drawn_together(band);
    const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(kUnknowns, 0, 1);
    const Eigen::VectorXd expected = matrix.ldlt().solve(right);
    const std::vector<float> first = solved(available_isas().front(), matrix, band, right);
    for (int k = 0; k < kUnknowns; ++k) {
      EXPECT_NEAR(first[static_cast<std::size_t>(k)], expected(k), 1e-3) << band << ' ' << k;
    }
    for (const Isa isa : available_isas()) {
      EXPECT_EQ(solved(isa, matrix, band, right), first) << to_string(isa) << ' ' << band;
    }
  }
}

}  // namespace
}  // namespace roadplane
