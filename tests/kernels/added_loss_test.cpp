// A robust loss is added: a header's worth, and a line.

#include <gtest/gtest.h>

#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "robust_loops.hpp"
#include "robust_losses.hpp"
#include "support/random_data.hpp"

namespace roadplane::ROADPLANE_KERNELS {
namespace {

/// Cauchy's (or Lorentz's), weight 1 / (1 + t) with t = (y/s)^2.
struct Cauchy {
  static constexpr const char* kName = "cauchy";
  static constexpr double kWidth = 0.5;

  template <class V>
  static V weight(V t) {
    return reciprocal(1.0F + t);
  }
  template <class V>
  static V curvature(V t) {
    const V ratio = reciprocal(1.0F + t);
    return ratio * ratio * (1.0F - t);
  }
  static double value(double t) { return __builtin_log1p(t) / 2; }
};

template <class... Loss>
LossList<Loss..., Cauchy> with_one_more(LossList<Loss...>);
using Extended = decltype(with_one_more(RobustLosses{}));

template <class... Loss>
std::vector<ScalarLoss> scalars_of(LossList<Loss...>) {
  return {kScalarLoss<Loss>...};
}

TEST(AddedLoss, HasItsNameValueAndWeight) {
  const std::vector<ScalarLoss> all = scalars_of(Extended{});
  EXPECT_EQ(all.size(), robust_loss_names().size() + 1);
  const ScalarLoss& cauchy = all.back();
  EXPECT_STREQ(cauchy.name, "cauchy");
  EXPECT_DOUBLE_EQ(cauchy.width, 0.5);
  EXPECT_DOUBLE_EQ(cauchy.weight(0), 1);
  EXPECT_DOUBLE_EQ(cauchy.weight(1), 0.5);
  EXPECT_NEAR(cauchy.value(1e-12), 0.5e-12, 1e-20);
}

TEST(AddedLoss, HasItsKernels) {
  HomogeneousCloud cloud;
  cloud.assign(test::random_scan(1000, 2));
  const Eigen::Vector4d w = Eigen::Vector4d(0.1, -0.1, 1, 1.6).normalized();
  Eigen::Vector4d expected = Eigen::Vector4d::Zero();
  for (std::size_t j = 0; j < cloud.size(); ++j) {
    const Eigen::Vector4d b = cloud.column(j);
    const double y = w.dot(b);
    expected += kScalarLoss<Cauchy>.weight(y * y / (y < 0 ? 0.36 : 0.04)) * y * b;
  }
  Eigen::Vector4d sum;
  const ThinnedGroups all(cloud.groups(), cloud.group_count(), 1, 0);
  kRobustKernels<Cauchy>.slope_sum(all, w.data(), {{0.2F, 0}, {0.6F, 0}, 0}, sum.data());
  EXPECT_NEAR((sum - expected).norm(), 0, 1e-3);
  EXPECT_GT(expected.norm(), 1);
}

}  // namespace
}  // namespace roadplane::ROADPLANE_KERNELS
