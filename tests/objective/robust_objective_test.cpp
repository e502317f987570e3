#include "roadplane/objective/robust_objective.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cstring>
#include <numeric>

#include "roadplane/kernels/inspection_kernel.hpp"
#include "roadplane/kernels/robust_kernels.hpp"
#include "support/input_error.hpp"
#include "support/random_data.hpp"

namespace roadplane {
namespace {

Eigen::Matrix4d some_map() {
  const Eigen::Matrix4d map = test::random_matrix(4, 4, 3);
  return (map + map.transpose()) / 2;
}

HomogeneousCloud cloud_of(std::size_t points, std::uint64_t seed) {
  HomogeneousCloud cloud;
  cloud.assign(test::random_scan(points, seed));
  return cloud;
}

const Eigen::Vector4d kPlane = Eigen::Vector4d(0.1, -0.1, 1, 1.6).normalized();

/// Every kind of window: scales as angles and as distances, with and without less say for what is
/// near.
std::vector<Window> windows() {
  std::vector<Window> all;
  for (const std::string_view name : robust_loss_names()) {
    for (const double near_m : {0.0, 30.0}) {
      all.push_back({RobustLoss(name), {0.3}, {0.5}, near_m});
      all.push_back({RobustLoss(name), {.rad = 0.1, .m = 4}, {.rad = 0.2, .m = 7}, near_m});
    }
  }
  return all;
}

std::string name_of(const Window& window) {
  return std::string(window.loss.name()) + (window.above.m > 0 ? ", with metres" : " in radians") +
         (window.near_m > 0 ? ", near counts less" : "");
}

/// What a column counts for: the scale at y, and its part.
struct Seen {
  double scale;
  double count;
};
Seen seen(const Window& window, const Eigen::Vector4d& b, double y) {
  const double range_m = 1 / b(3);
  return {(y < 0 ? window.below : window.above).at(range_m),
          window.near_m > 0 ? std::min(1.0, std::pow(range_m / window.near_m, 2)) : 1};
}

double slope_at(const Window& window, const Eigen::Vector4d& b, double y) {
  const auto [scale, count] = seen(window, b, y);
  return count * window.loss.slope(y, scale);
}

TEST(RobustLosses, SlopesMatchCentralDifferences) {
  for (const std::string_view name : robust_loss_names()) {
    const RobustLoss loss(name);
    constexpr double kScale = 0.2;
    constexpr double kStep = 1e-6;
    for (const double y : {-2.0, -0.5, -0.1, -1e-3, 1e-3, 0.1, 0.19, 2.0}) {
      const double slope =
          (loss.value(y + kStep, kScale) - loss.value(y - kStep, kScale)) / (2 * kStep);
      EXPECT_NEAR(loss.slope(y, kScale), slope, 1e-8) << name << " at " << y;
      EXPECT_LE(std::abs(loss.slope(y, kScale)), std::abs(y));  // the weight is at most 1
    }
    EXPECT_NEAR(loss.slope(1e-9, kScale) / 1e-9, 1, 1e-9);
    EXPECT_LT(std::abs(loss.slope(-50, kScale)), std::abs(loss.slope(-0.1, kScale)));
  }
}

TEST(RobustLosses, TukeysBiweightEndsAtItsScale) {
  const RobustLoss tukey("tukey");
  EXPECT_EQ(tukey.slope(0.21, 0.2), 0);
  EXPECT_EQ(tukey.slope(-0.21, 0.2), 0);
  EXPECT_DOUBLE_EQ(tukey.value(5, 0.2), 0.04 / 6);
}

TEST(RobustLosses, AreChosenByName) {
  EXPECT_EQ(RobustLoss().name(), "tukey");
  EXPECT_EQ(RobustLoss().width(), 1);
  for (const std::string_view name : robust_loss_names()) EXPECT_EQ(RobustLoss(name).name(), name);
  EXPECT_EQ(test::input_error_of([] { RobustLoss("huber"); }),
            "loss: expected tukey, geman-mcclure or welsch, found \"huber\"");
}

TEST(CloudSums, AreTheSumsOverTheColumns) {
  const HomogeneousCloud cloud = cloud_of(1237, 2);
  const CloudSums sums(cloud);
  for (const Window& window : windows()) {
    Eigen::Vector4d slope = Eigen::Vector4d::Zero();
    Eigen::Matrix4d moment = Eigen::Matrix4d::Zero();
    double value = 0;
    for (std::size_t j = 0; j < cloud.size(); ++j) {
      const Eigen::Vector4d b = cloud.column(j);
      const double y = kPlane.dot(b);
      slope += slope_at(window, b, y) * b;
      moment += slope_at(window, b, y) / y * b * b.transpose();
      value += seen(window, b, y).count * window.loss.value(y, seen(window, b, y).scale);
    }
    ASSERT_GT(slope.norm(), 1e-2) << name_of(window);
    EXPECT_NEAR((sums.slope(kPlane, window) - slope).norm(), 0, 1e-5 * moment.trace())
        << name_of(window);
    EXPECT_NEAR((sums.moment(kPlane, window) - moment).norm(), 0, 1e-5 * moment.trace())
        << name_of(window);
    EXPECT_NEAR(sums.value(kPlane, window), value, 1e-12 * value) << name_of(window);
  }
}

TEST(RobustKernels, AllInstructionSetsAgree) {
  const HomogeneousCloud cloud = cloud_of(1237, 2);
  const ThinnedGroups all(cloud.groups(), cloud.group_count(), 1, 0);
  std::vector<std::uint32_t> batch;
  for (std::uint32_t j = 0; j < 38; ++j) batch.push_back(j * 31 % 1237);
  const Eigen::Vector4d other = Eigen::Vector4d(-0.1, 0.2, 1, 1.4).normalized();
  for (const Window& window : windows()) {
    const KernelWindow seen_through = kernel_window(window);
    const auto numbers = [&](Isa isa) {
      const RobustKernels& kernels = robust_kernels(isa, window.loss);
      Eigen::Matrix<double, 22, 1> result;
      kernels.slope_sum(all, kPlane.data(), seen_through, result.data());
      kernels.batch_slope_sums(cloud.groups(), batch.data(), batch.size(), kPlane.data(),
                               other.data(), seen_through, result.data() + 4, result.data() + 8);
      kernels.weighted_moment(all, kPlane.data(), seen_through, result.data() + 12);
      return result;
    };
    const auto plain = numbers(Isa::plain);
    for (const Isa isa : available_isas()) {
      EXPECT_NEAR((numbers(isa) - plain).norm(), 0, 2e-6 * plain.norm())
          << to_string(isa) << " " << name_of(window);
    }
  }
}

/// The inspection's numbers by plain loops in double precision.
std::vector<double> inspected(const HomogeneousCloud& cloud, const InspectedPlane& plane,
                              const Window& window) {
  InspectionSums sums{};
  const Eigen::Map<const Eigen::Vector4d> w(plane.w);
  const double norm = std::sqrt(1 + plane.height_m * plane.height_m);
  for (std::size_t j = 0; j < cloud.size(); ++j) {
    const Eigen::Vector4d b = cloud.column(j);
    const double y = w.dot(b);
    const double off = std::abs(y);
    sums.columns += 1;
    sums.on += off < plane.on ? 1 : 0;
    sums.below += y < -2 * plane.on ? 1 : 0;
    const double psi = slope_at(window, b, y);
    Eigen::Vector3d q;  // of y as a function of two rotations and a lift
    for (int a = 0; a < 2; ++a) {
      q(a) = Eigen::Map<const Eigen::Vector3d>(plane.axes[a]).dot(b.head<3>()) / norm;
    }
    q(2) = b(3) / norm - y * plane.height_m / (norm * norm);
    sums.slope_y += psi * y;
    const auto [scale, count] = seen(window, b, y);
    const double t = std::pow(y / scale, 2);
    const double bend = t < 1 ? count * (1 - t) * (1 - 5 * t) : 0;
    int n = 0;
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c <= r; ++c) sums.curvature[n++] += bend * q(r) * q(c);
    }
    const double narrow = slope_at(window.scaled(plane.narrower), b, y);
    for (int r = 0; r < 3; ++r) sums.narrow[r] += narrow * q(r);
    const double length = std::hypot(q(0), q(1));
    const double angle = std::atan2(q(1), q(0));
    for (int k = 2; k <= 5; ++k) {
      sums.tilt_waves[2 * k - 4] += psi * length * std::cos(k * angle);
      sums.tilt_waves[2 * k - 3] += psi * length * std::sin(k * angle);
      if (k == 5) continue;
      sums.height_waves[2 * k - 4] += psi * q(2) * std::cos(k * angle);
      sums.height_waves[2 * k - 3] += psi * q(2) * std::sin(k * angle);
    }
  }
  std::vector<double> numbers(InspectionSums::kNumbers);
  std::memcpy(numbers.data(), &sums, sizeof(sums));
  return numbers;
}

TEST(InspectionKernel, IsThePlainLoopOnEveryInstructionSet) {
  const HomogeneousCloud cloud = cloud_of(1237, 4);
  const ThinnedGroups all(cloud.groups(), cloud.group_count(), 1, 0);
  InspectedPlane plane{};
  std::copy_n(kPlane.data(), 4, plane.w);
  const Eigen::Vector3d normal = kPlane.head<3>().normalized();
  const Eigen::Vector3d first = normal.unitOrthogonal();
  const Eigen::Vector3d second = normal.cross(first);
  std::copy_n(first.data(), 3, plane.axes[0]);
  std::copy_n(second.data(), 3, plane.axes[1]);
  plane.height_m = kPlane(3) / kPlane.head<3>().norm();
  plane.narrower = 0.7F;
  plane.on = 0.02F;
  for (const double near_m : {0.0, 30.0}) {
    const Window window{.above = {0.1}, .below = {0.15}, .near_m = near_m};
    plane.window = kernel_window(window);
    const std::vector<double> expected = inspected(cloud, plane, window);
    for (const Isa isa : available_isas()) {
      std::vector<double> numbers(InspectionSums::kNumbers);
      inspection_kernel(isa)(all, plane, numbers.data());
      for (int n = 0; n < InspectionSums::kNumbers; ++n) {
        // Counts are of single columns; the sums' terms are below 0.1 each.
        EXPECT_NEAR(numbers[n], expected[n], n < 3 ? 1.01 : 2e-4)
            << "number " << n << " " << to_string(isa);
      }
    }
  }
}

TEST(RobustObjective, GradientsMatchCentralDifferences) {
  const HomogeneousCloud cloud = cloud_of(203, 2);
  const Eigen::Vector4d x = test::random_matrix(4, 1, 5);
  for (const Window& window : windows()) {
    const RobustObjective objective(cloud, some_map(), window, {.points = 100, .gain = 3});
    Eigen::Vector4d gradient;
    objective.gradient(x, gradient);
    for (int k = 0; k < 4; ++k) {
      constexpr double kStep = 1e-5;
      const Eigen::Vector4d aside = kStep * Eigen::Vector4d::Unit(k);
      const double slope = (objective.value(x + aside) - objective.value(x - aside)) / (2 * kStep);
      EXPECT_NEAR(gradient(k), slope, 2e-6 * (1 + std::abs(slope))) << name_of(window);
    }
  }
}

TEST(RobustObjective, DependsOnTheDirectionOnly) {
  const HomogeneousCloud cloud = cloud_of(203, 2);
  const Eigen::Vector4d x = test::random_matrix(4, 1, 5);
  for (const Window& window : windows()) {
    const RobustObjective objective(cloud, some_map(), window, {.points = 100, .gain = 3});
    EXPECT_NEAR(objective.value(7 * x), objective.value(x), 1e-14);
    Eigen::Vector4d at_x;
    Eigen::Vector4d further;
    objective.gradient(x, at_x);
    objective.gradient(7 * x, further);
    EXPECT_NEAR((7 * further - at_x).norm(), 0, 1e-5 * at_x.norm()) << name_of(window);
    EXPECT_NEAR(at_x.dot(x), 0, 1e-12 * at_x.norm() * x.norm());
  }
}

TEST(RobustObjective, ABatchIsTheMeanOfItsSamplesAndAllSamplesAreTheGradient) {
  const HomogeneousCloud cloud = cloud_of(237, 2);
  const Eigen::Vector4d x = test::random_matrix(4, 1, 5);
  const Eigen::Vector4d y = test::random_matrix(4, 1, 6);
  std::vector<std::uint32_t> all(237);
  std::iota(all.begin(), all.end(), 0U);
  const std::vector<std::uint32_t> batch{3, 200, 17, 3, 90};  // a sample may repeat
  for (const Window& window : windows()) {
    const RobustObjective objective(cloud, some_map(), window, {.points = 100});
    Eigen::Vector4d full;
    Eigen::Vector4d at_x;
    Eigen::Vector4d at_y;
    Eigen::Vector4d one;
    objective.gradient(x, full);
    objective.batch_gradient(x, all, at_x);
    EXPECT_NEAR((full - at_x).norm(), 0, 3e-6 * (1 + full.norm())) << name_of(window);
    objective.batch_gradients(x, y, batch, at_x, at_y);
    Eigen::Vector4d sum = Eigen::Vector4d::Zero();
    for (const std::uint32_t j : batch) {
      objective.batch_gradient(x, std::span(&j, 1), one);
      sum += one / 5;
    }
    EXPECT_NEAR((at_x - sum).norm(), 0, 3e-6 * (1 + sum.norm())) << name_of(window);
    objective.batch_gradient(y, batch, one);
    EXPECT_EQ(at_y, one);
  }
}

TEST(RobustObjective, TheWeightedMomentOfAWideScaleIsTheSecondMoment) {
  const HomogeneousCloud cloud = cloud_of(1000, 2);
  const Window wide{.above = {1e4}, .below = {1e4}};
  const RobustObjective objective(cloud, Eigen::Matrix4d::Identity(), wide, {.points = 1000});
  Eigen::MatrixXd moment;
  ASSERT_TRUE(objective.weighted_moment(kPlane, moment));
  EXPECT_NEAR((moment - cloud.second_moment()).norm(), 0, 1e-6);
  EXPECT_FALSE(RobustObjective(cloud, some_map(), wide, {}).weighted_moment(kPlane, moment));
}

/// In coordinates that do not keep lengths, too; by differences of the gradient, which is in single
/// precision.
TEST(RobustObjective, TheCurvatureIsTheDerivativeOfTheGradient) {
  const HomogeneousCloud cloud = cloud_of(1000, 2);
  const Window window{.above = {.rad = 0.1, .m = 0.3}, .below = {.rad = 0.2, .m = 0.3}};
  for (const Eigen::Matrix4d& map : {Eigen::Matrix4d(Eigen::Matrix4d::Identity()), some_map()}) {
    const RobustObjective objective(cloud, map, window, {.points = 1000, .gain = 2});
    Bowl bowl;
    ASSERT_TRUE(objective.bowl(kPlane, bowl));
    constexpr double kStep = 1e-2;
    for (int c = 0; c < 4; ++c) {
      Eigen::Vector4d ahead;
      Eigen::Vector4d behind;
      objective.gradient(kPlane + kStep * Eigen::Vector4d::Unit(c), ahead);
      objective.gradient(kPlane - kStep * Eigen::Vector4d::Unit(c), behind);
      const Eigen::Vector4d slope = (ahead - behind) / (2 * kStep);
      EXPECT_NEAR((bowl.curvature.col(c) - slope).norm(), 0, 5e-3 * bowl.curvature.norm()) << c;
      EXPECT_GT(bowl.curvature.norm(), 1e-3);
    }
  }
}

TEST(CloudSums, OfAThinnedCloudAreThoseOfOneGroupOfEveryStride) {
  constexpr std::uint32_t kAgent = 5;
  const Window window{.above = {0.2}, .below = {0.3}, .near_m = 30};
  for (const std::size_t count : {5U, 100U, 1000U, 1024U}) {
    const HomogeneousCloud cloud = cloud_of(count, 2);
    const ThinnedGroups looked_at(cloud.groups(), cloud.group_count(), 4, kAgent);
    std::vector<std::uint32_t> kept;
    for (std::size_t k = 0; k < looked_at.count(); ++k) {
      for (std::size_t j = 16 * looked_at.group(k); j < 16 * looked_at.group(k) + 16; ++j) {
        if (j < count) kept.push_back(static_cast<std::uint32_t>(j));
      }
    }
    ASSERT_FALSE(kept.empty());
    const CloudSums thinned(cloud, {.stride = 4, .agent = kAgent});
    Eigen::Vector4d expected;
    Eigen::Vector4d again;
    CloudSums(cloud).batch_slopes(kept, kPlane, kPlane, window, expected, again);
    expected *= static_cast<double>(count) / static_cast<double>(kept.size());
    EXPECT_NEAR((thinned.slope(kPlane, window) - expected).norm(), 0, 1e-5 * (1 + expected.norm()))
        << count;
  }
}

TEST(ThinnedGroups, TakeOneGroupOfEveryStrideAndOthersForOtherAgents) {
  for (const std::size_t groups : {1U, 7U, 64U, 1000U}) {
    for (const std::size_t stride : {1U, 3U, 16U, 2000U}) {
      std::size_t different = 0;
      const ThinnedGroups first(nullptr, groups, stride, 0);
      for (const std::uint32_t agent : {1U, 2U, 15U}) {
        const ThinnedGroups other(nullptr, groups, stride, agent);
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

TEST(RobustObjective, AnEmptyShardIsZero) {
  const HomogeneousCloud empty;
  const RobustObjective objective(empty, Eigen::Matrix4d::Identity(), {}, {});
  Eigen::Vector4d gradient = Eigen::Vector4d::Ones();
  objective.gradient(kPlane, gradient);
  EXPECT_EQ(gradient, Eigen::Vector4d::Zero());
  objective.batch_gradient(kPlane, {}, gradient);
  EXPECT_EQ(gradient, Eigen::Vector4d::Zero());
  EXPECT_EQ(objective.value(kPlane), 0);
  Eigen::MatrixXd moment;
  ASSERT_TRUE(objective.weighted_moment(kPlane, moment));
  EXPECT_EQ(moment, Eigen::MatrixXd::Zero(4, 4));
  std::vector<double> numbers(InspectionSums::kNumbers, 1);
  CloudSums(empty).inspect({}, numbers);
  EXPECT_EQ(numbers, std::vector<double>(InspectionSums::kNumbers, 0));
}

}  // namespace
}  // namespace roadplane
