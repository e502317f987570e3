#include "roadplane/objective/robust_objective.hpp"

#include <gtest/gtest.h>

#include "roadplane/kernels/robust_kernels.hpp"
#include "roadplane/objective/cloud_objective.hpp"
#include "support/input_error.hpp"
#include "support/random_data.hpp"

namespace roadplane {
namespace {

/// A graduation that stays at one scale and looks at every point.
Graduation fixed(RobustLoss loss, double scale_rad, double beyond) {
  return {.loss = loss,
          .first_rad = scale_rad,
          .last_rad = scale_rad,
          .sharpenings = 1000,
          .beyond = beyond,
          .thinning = 1};
}

Eigen::Matrix4d some_map() {
  const Eigen::Matrix4d map = test::random_matrix(4, 4, 3);
  return (map + map.transpose()) / 2;
}

struct ScaledLoss {
  RobustLoss loss;
  SquaredScales squared;
  double value(double y) const { return loss.value(y, squared); }
  double slope(double y) const { return loss.slope(y, squared); }
};

/// The same objective in double precision, straight from the losses.
Eigen::Vector4d reference_gradient(const HomogeneousCloud& cloud, const ScaledLoss& loss,
                                   const Eigen::Vector4d& x) {
  const CloudObjective<ScaledLoss, 1> objective(cloud, some_map(), loss);
  Eigen::Vector4d gradient;
  objective.gradient(x, gradient);
  return gradient;
}

TEST(RobustLosses, SlopesMatchCentralDifferencesOnBothSides) {
  const SquaredScales squared{0.04, 0.36};
  for (const std::string_view name : robust_loss_names()) {
    const ScaledLoss loss{RobustLoss(name), squared};
    constexpr double kStep = 1e-6;
    for (const double y : {-2.0, -0.5, -0.1, -1e-3, 1e-3, 0.1, 0.3, 2.0}) {
      const double slope = (loss.value(y + kStep) - loss.value(y - kStep)) / (2 * kStep);
      EXPECT_NEAR(loss.slope(y), slope, 1e-8) << name << " at " << y;
      EXPECT_LE(std::abs(loss.slope(y)), std::abs(y));  // the weight is at most 1
    }
    EXPECT_NEAR(loss.slope(1e-9) / 1e-9, 1, 1e-9);
    EXPECT_LT(std::abs(loss.slope(-50)), std::abs(loss.slope(-0.3)));  // redescending
  }
}

TEST(RobustLosses, TukeysBiweightEndsAtItsScale) {
  const RobustLoss tukey("tukey");
  const SquaredScales squared{0.04, 0.36};
  EXPECT_EQ(tukey.slope(0.21, squared), 0);
  EXPECT_EQ(tukey.slope(-0.61, squared), 0);
  EXPECT_DOUBLE_EQ(tukey.value(5, squared), 0.04 / 6);
  EXPECT_DOUBLE_EQ(tukey.value(-5, squared), 0.36 / 6);
}

TEST(RobustLosses, AreChosenByName) {
  EXPECT_EQ(RobustLoss().name(), "geman-mcclure");
  for (const std::string_view name : robust_loss_names()) EXPECT_EQ(RobustLoss(name).name(), name);
  EXPECT_EQ(test::input_error_of([] { RobustLoss("huber"); }),
            "loss: expected geman-mcclure, welsch or tukey, found \"huber\"");
}

TEST(RobustObjective, AllInstructionSetsGiveTheReference) {
  HomogeneousCloud cloud;
  cloud.assign(test::random_scan(1237, 2));
  const Eigen::Vector4d x = test::random_matrix(4, 1, 5);
  const Eigen::Vector4d y = test::random_matrix(4, 1, 6);
  std::vector<std::uint32_t> batch;
  for (std::uint32_t j = 0; j < 37; ++j) batch.push_back(j * 31 % 1237);
  batch.push_back(batch[0]);  // a sample may repeat
  for (const std::string_view name : robust_loss_names()) {
    const RobustLoss loss(name);
    for (const Isa isa : available_isas()) {
      RobustObjective objective(cloud, some_map(), fixed(loss, 0.2, 3), 1, 0, isa);
      objective.begin_outer_iteration(1, x);
      const SquaredScales squared = objective.squared_scales();
      EXPECT_NEAR(std::sqrt(squared.inside), 0.2 * (some_map() * x).norm(), 1e-14);
      EXPECT_NEAR(squared.beyond, 9 * squared.inside, 1e-12);
      const auto expected = [&](const Eigen::Vector4d& at) {
        return reference_gradient(cloud, {loss, squared}, at);
      };
      Eigen::Vector4d gradient;
      objective.gradient(x, gradient);
      EXPECT_NEAR((gradient - expected(x)).norm(), 0, 2e-6) << to_string(isa);

      Eigen::Vector4d at_x;
      Eigen::Vector4d at_y;
      objective.batch_gradients(x, y, batch, at_x, at_y);
      Eigen::Vector4d sum = Eigen::Vector4d::Zero();
      Eigen::Vector4d one;
      for (const std::uint32_t j : batch) {
        objective.batch_gradient(x, std::span(&j, 1), one);
        sum += one / static_cast<double>(batch.size());
      }
      EXPECT_NEAR((at_x - sum).norm(), 0, 2e-6) << to_string(isa);
      objective.batch_gradient(y, batch, one);
      EXPECT_EQ(at_y, one);
    }
  }
}

TEST(RobustObjective, GradientsMatchCentralDifferences) {
  HomogeneousCloud cloud;
  cloud.assign(test::random_scan(203, 2));
  for (const std::string_view name : robust_loss_names()) {
    const RobustLoss loss(name);
    RobustObjective objective(cloud, some_map(), fixed(loss, 0.3, 2), 0.7);
    Eigen::Vector4d x = test::random_matrix(4, 1, 5);
    objective.begin_outer_iteration(1, x);
    Eigen::Vector4d gradient;
    objective.gradient(x, gradient);
    for (int k = 0; k < 4; ++k) {
      constexpr double kStep = 1e-5;
      Eigen::Vector4d plus = x;
      Eigen::Vector4d minus = x;
      plus(k) += kStep;
      minus(k) -= kStep;
      const double slope = (objective.value(plus) - objective.value(minus)) / (2 * kStep);
      EXPECT_NEAR(gradient(k), slope, 1e-5 * (1 + std::abs(slope)));
    }
  }
}

TEST(RobustObjective, TheWeightedMomentOfAWideScaleIsTheSecondMoment) {
  HomogeneousCloud cloud;
  cloud.assign(test::random_scan(1000, 2));
  for (const Isa isa : available_isas()) {
    RobustObjective objective(cloud, Eigen::Matrix4d::Identity(),
                              fixed(RobustLoss("geman-mcclure"), 1e4, 1), 1, 0, isa);
    const Eigen::Vector4d w = Eigen::Vector4d::UnitZ();
    objective.begin_outer_iteration(1, w);
    EXPECT_NEAR((objective.weighted_moment(w) - cloud.second_moment()).norm(), 0, 1e-6);
  }
}

TEST(RobustObjective, AThinnedGradientIsTheMeanOverOneGroupOfEveryStride) {
  constexpr std::uint32_t kAgent = 5;
  for (const std::size_t count : {5U, 100U, 1000U, 1024U}) {
    HomogeneousCloud cloud;
    cloud.assign(test::random_scan(count, 2));
    Graduation thinned = fixed(RobustLoss("geman-mcclure"), 0.2, 1);
    thinned.thinning = 4;
    RobustObjective objective(cloud, Eigen::Matrix4d::Identity(), thinned, 1, kAgent);
    const Eigen::Vector4d x = Eigen::Vector4d(0.1, 0, 1, 1.6).normalized();
    objective.begin_outer_iteration(1, x);
    const ThinnedBlocks looked_at(cloud.blocks(), cloud.padded_size() / 16, 4, kAgent);
    std::vector<std::uint32_t> kept;
    for (std::size_t k = 0; k < looked_at.count(); ++k) {
      for (std::size_t j = 16 * looked_at.group(k); j < 16 * looked_at.group(k) + 16; ++j) {
        if (j < count) kept.push_back(static_cast<std::uint32_t>(j));
      }
    }
    ASSERT_FALSE(kept.empty());
    EXPECT_NEAR(static_cast<double>(objective.full_pass(static_cast<std::int64_t>(count))),
                static_cast<double>(kept.size()), 15)
        << count;
    Eigen::Vector4d gradient;
    Eigen::Vector4d expected;
    objective.gradient(x, gradient);
    objective.batch_gradient(x, kept, expected);
    EXPECT_NEAR((gradient - expected).norm(), 0, 1e-6) << count;
  }
}

TEST(ThinnedBlocks, TakeOneGroupOfEveryStrideAndOthersForOtherAgents) {
  for (const std::size_t groups : {1U, 7U, 64U, 1000U}) {
    for (const std::size_t stride : {1U, 3U, 16U, 2000U}) {
      std::size_t different = 0;
      const ThinnedBlocks first(nullptr, groups, stride, 0);
      for (const std::uint32_t agent : {1U, 2U, 15U}) {
        const ThinnedBlocks other(nullptr, groups, stride, agent);
        ASSERT_GE(other.count(), std::max<std::size_t>(1, groups / stride));
        for (std::size_t k = 0; k < other.count(); ++k) {
          EXPECT_LT(other.group(k), groups);
          EXPECT_EQ(other.group(k) / other.stride, k);
          different += other.group(k) != first.group(k) ? 1 : 0;
        }
      }
      if (stride > 1 && groups >= 64) {
        EXPECT_GT(different, 0U);
      }
    }
  }
}

TEST(RobustKernels, SupportAndWhatIsBeyondOnEveryInstructionSet) {
  HomogeneousCloud cloud;
  cloud.assign(test::random_scan(1000, 4));
  const Eigen::Vector4d w = Eigen::Vector4d(0.1, -0.1, 1, 1.6).normalized();
  constexpr double kScale = 0.05;
  constexpr double kMargin = 0.1;
  double support = 0;
  double beyond = 0;
  for (std::size_t j = 0; j < cloud.size(); ++j) {
    const Eigen::Vector4d b = cloud.column(j);
    const double y = w.dot(b);
    support += b(3) / std::pow(1 + y * y / (kScale * kScale), 2);
    if (y < -kMargin) beyond += b(3);
  }
  ASSERT_GT(beyond, 0);
  for (const Isa isa : available_isas()) {
    double sums[2];
    const ThinnedBlocks all(cloud.blocks(), cloud.padded_size() / 16, 1, 0);
    robust_kernels(isa, RobustLoss("geman-mcclure"))
        .support_and_beyond(all, w.data(), {kScale * kScale, kScale * kScale}, kMargin, sums);
    EXPECT_NEAR(sums[0], support, 1e-4 * support) << to_string(isa);
    EXPECT_NEAR(sums[1], beyond, 1e-4 * beyond) << to_string(isa);
  }
}

TEST(RobustKernels, SupportInMetresOnEveryInstructionSet) {
  HomogeneousCloud cloud;
  const Scan scan = test::random_scan(1000, 4);
  cloud.assign(scan);
  constexpr int kPlanes = 6;  // not a multiple of those that are looked at together
  Eigen::Matrix<double, 4, kPlanes> planes = test::random_matrix(4, kPlanes, 7);
  for (int p = 0; p < kPlanes; ++p) planes.col(p) /= planes.col(p).head<3>().norm();
  constexpr double kScale = 0.5;
  constexpr double kMargin = 0.7;
  constexpr double kBlame = 0.6;
  for (const std::string_view name : robust_loss_names()) {
    Eigen::Matrix<double, kPlanes + 1, 1> expected;
    expected.setZero();
    expected(kPlanes) = static_cast<double>(cloud.size());
    for (const Point& point : scan) {
      for (int p = 0; p < kPlanes; ++p) {
        const double y = planes.col(p).dot(Eigen::Vector4d(point.x, point.y, point.z, 1));
        const double weight = RobustLoss(name).slope(y, {kScale * kScale, 1}) / y;
        expected(p) += weight - (y < -kMargin ? kBlame : 0);
      }
    }
    for (const Isa isa : available_isas()) {
      Eigen::Matrix<double, kPlanes + 1, 1> support;
      const ThinnedBlocks all(cloud.blocks(), cloud.padded_size() / 16, 1, 0);
      robust_kernels(isa, RobustLoss(name))
          .support(all, planes.data(), kPlanes, {{kScale * kScale, 1}, kMargin, kBlame},
                   support.data());
      EXPECT_NEAR((support - expected).norm(), 0, 1e-3) << name << " " << to_string(isa);
    }
  }
}

TEST(Graduation, SharpensGeometricallyAndEndsNearlySymmetric) {
  const Graduation g{
      .first_rad = 0.08, .last_rad = 0.005, .sharpenings = 4, .beyond = 3, .last_beyond = 1.05};
  EXPECT_DOUBLE_EQ(g.scale_rad(0), 0.08);
  EXPECT_DOUBLE_EQ(g.scale_rad(1), 0.08);
  EXPECT_NEAR(g.scale_rad(2), 0.04, 1e-15);
  EXPECT_DOUBLE_EQ(g.scale_rad(5), 0.005);
  EXPECT_DOUBLE_EQ(g.scale_rad(50), 0.005);
  EXPECT_EQ(g.beyond_factor(4), 3);
  EXPECT_EQ(g.beyond_factor(5), 1.05);
  EXPECT_EQ(g.thinning_at(50), 1);
}

TEST(RobustObjective, AnEmptyShardIsZero) {
  const HomogeneousCloud empty;
  RobustObjective objective(empty, Eigen::Matrix4d::Identity(), Graduation{});
  const Eigen::Vector4d x = Eigen::Vector4d::UnitZ();
  objective.begin_outer_iteration(0, x);
  Eigen::Vector4d gradient = Eigen::Vector4d::Ones();
  objective.gradient(x, gradient);
  EXPECT_EQ(gradient, Eigen::Vector4d::Zero());
  objective.batch_gradient(x, {}, gradient);
  EXPECT_EQ(gradient, Eigen::Vector4d::Zero());
  EXPECT_EQ(objective.value(x), 0);
  EXPECT_EQ(objective.weighted_moment(x), Eigen::Matrix4d::Zero());
}

}  // namespace
}  // namespace roadplane
