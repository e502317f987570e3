// DPCP-PSGM and DPCP-IRLS minimise the same objective, mean |w'b|.
#include <gtest/gtest.h>

#include "baseline_data.hpp"
#include "roadplane/base/counter_random.hpp"
#include "roadplane/baseline/irls.hpp"
#include "roadplane/baseline/psgm.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "support/input_error.hpp"
#include "svd.hpp"

namespace roadplane {
namespace {

using test::expect_one_line;
using test::l1_objective;
using test::road_scan;

class L1 : public testing::Test {
 protected:
  void SetUp() override { cloud_.assign(road_scan(5001, 0.3, 0.01)); }

  /// Runs with 1, 2, ... iterations: each has to be at least as good as the one before.
  template <class Options, class Fit>
  void expect_decrease(Fit fit, double slack) const {
    double objective = l1_objective(cloud_, fit_svd(cloud_).w);
    const double first = objective;
    for (int limit = 1; limit <= 12; ++limit) {
      Options options;
      options.max_iterations = limit;
      const double next = l1_objective(cloud_, fit(cloud_, options).w);
      EXPECT_LE(next, objective + slack) << limit;
      objective = next;
    }
    EXPECT_LT(objective, 0.9 * first);
  }

  HomogeneousCloud cloud_;
};

TEST_F(L1, PsgmLowersTheObjectiveInEveryIteration) { expect_decrease<PsgmOptions>(fit_psgm, 0); }

TEST_F(L1, IrlsLowersTheObjectiveInEveryIteration) {
  expect_decrease<IrlsOptions>(fit_irls, 1e-9);  // up to the residual floor
}

TEST_F(L1, BothEndAtTheSameObjective) {
  const double psgm = l1_objective(cloud_, fit_psgm(cloud_).w);
  const double irls = l1_objective(cloud_, fit_irls(cloud_).w);
  EXPECT_NEAR(psgm, irls, 0.01 * irls);
}

TEST_F(L1, IrlsEndsAtALocalMinimum) {
  const BaselineResult result = fit_irls(cloud_);
  const double objective = l1_objective(cloud_, result.w);
  CounterRandom random(5, RandomUse::user);
  for (int k = 0; k < 50; ++k) {
    const Eigen::Vector4d direction(random.normal(), random.normal(), random.normal(),
                                    random.normal());
    const Eigen::Vector4d nearby = (result.w + 1e-3 * direction).normalized();
    EXPECT_GE(l1_objective(cloud_, nearby), objective);
  }
}

TEST_F(L1, LimitsAreKept) {
  EXPECT_EQ(fit_psgm(cloud_, {.max_iterations = 2}).iterations, 2);
  EXPECT_EQ(fit_irls(cloud_, {.max_iterations = 2}).iterations, 2);
  EXPECT_LT(fit_irls(cloud_, {.tolerance = 1e-2}).iterations, fit_irls(cloud_).iterations);
}

TEST_F(L1, BadOptionsAreNamed) {
  expect_one_line([&] { fit_psgm(cloud_, {.first_step = 0}); }, "psgm.first_step", "0");
  expect_one_line([&] { fit_psgm(cloud_, {.last_step = 1}); }, "psgm.last_step", "1");
  expect_one_line([&] { fit_psgm(cloud_, {.shrink = 1}); }, "psgm.shrink", "1");
  expect_one_line([&] { fit_psgm(cloud_, {.sufficient_decrease = -1}); },
                  "psgm.sufficient_decrease", "-1");
  expect_one_line([&] { fit_psgm(cloud_, {.max_iterations = 0}); }, "psgm.max_iterations", "0");
  expect_one_line([&] { fit_irls(cloud_, {.residual_floor = 0}); }, "irls.residual_floor", "0");
  expect_one_line([&] { fit_irls(cloud_, {.tolerance = NAN}); }, "irls.tolerance", "nan");
  expect_one_line([&] { fit_irls(cloud_, {.max_iterations = 0}); }, "irls.max_iterations", "0");
}

}  // namespace
}  // namespace roadplane
