#include "roadplane/compare/method_run.hpp"

#include <gtest/gtest.h>

#include "roadplane/base/input_error.hpp"
#include "roadplane/compare/budget.hpp"
#include "roadplane/compare/paper_protocol.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "roadplane/pipeline/segment_frame.hpp"
#include "support/street.hpp"
#include "support/temp_dir.hpp"

namespace roadplane {
namespace {

SegmentPlan plan_of(const std::string& solver, const std::string& objective) {
  SegmentConfig config;
  config.agents = 8;
  config.solver = solver;
  config.objective = objective;
  config.save = "none";
  return SegmentPlan(config);
}

class MethodRuns : public testing::Test {
 protected:
  test::TempDir folder_;
  kitti::Frame frame_ = kitti::open_dataset(test::write_street(folder_ / "street", 1)).frames.at(0);
  SharedFrame shared_ = share_frame(frame_, plan_of("vrsgt", "l3"));
};

TEST_F(MethodRuns, GiveTheSameAsSegmenting) {
  for (const char* objective : {"robust", "l3"}) {
    const SegmentPlan plan = plan_of("vrsgt", objective);
    const MethodRun run = run_solver(shared_, plan);
    const FrameRecord segmented = segment_frame(frame_, plan, {});
    ASSERT_TRUE(run.record.score && segmented.score);
    EXPECT_EQ(run.record.w, segmented.w);
    EXPECT_EQ(run.record.inliers, segmented.inliers);
    EXPECT_EQ(run.record.rounds, segmented.rounds);
    EXPECT_EQ(run.record.score->recovery_error, segmented.score->recovery_error);
    EXPECT_EQ(run.record.score->labels->f1, segmented.score->labels->f1);
  }
}

TEST_F(MethodRuns, BaselinesAreScoredTheSameWay) {
  const SegmentPlan plan = plan_of("vrsgt", "l3");
  for (const char* name : {"svd", "irls", "ransac"}) {
    const MethodRun run = run_baseline(shared_, name, plan);
    ASSERT_TRUE(run.record.score) << name << run.record.error;
    EXPECT_EQ(run.record.score->recovery_error, run.record.score->recovery_error_worst_agent);
    EXPECT_EQ(run.record.rounds, 0);
    EXPECT_GT(run.record.inliers, 0U);
    EXPECT_EQ(run.road.size(), shared_.scan.size());
  }
  EXPECT_THROW(run_baseline(shared_, "magic", plan), InputError);
}

TEST_F(MethodRuns, DivergenceIsARecord) {
  SegmentPlan plan = plan_of("vrsgt", "l3");
  std::visit([](SolverOptions& o) { o.step = 1000; }, plan.plane.solver);
  const MethodRun run = run_solver(shared_, plan);
  EXPECT_EQ(run.record.status, FrameStatus::failed);
  EXPECT_NE(run.record.error.find("divergence"), std::string::npos);
}

TEST_F(MethodRuns, ABudgetOfRoundsOrSamplesIsKeptWithinOneIteration) {
  for (const char* solver : {"vrsgt", "destiny", "drsgd", "rextra", "dprsrm"}) {
    for (const char* objective : {"robust", "l3"}) {
      SegmentPlan plan = plan_of(solver, objective);
      if (auto* l3 = std::get_if<L3Options>(&plan.plane.objective)) l3->gossip_tolerance = 1e-4;
      const Budget rounds = Budget::parse("rounds=400");
      apply_budget(rounds, shared_, plan);
      const FrameRecord record = run_solver(shared_, plan).record;
      ASSERT_NE(record.status, FrameStatus::failed) << record.error;
      const bool robust = std::string(objective) == "robust";
      // On the robust objective a solve ends at rest, where it can.
      EXPECT_GE(record.rounds, robust ? 60 : 400) << solver << " " << objective;
      EXPECT_LE(record.rounds, robust ? 400 : 400 + 2 + 3 * plan.network.diameter)
          << solver << " " << objective;
    }
    SegmentPlan plan = plan_of(solver, "l3");
    apply_budget(Budget::parse("samples=20000"), shared_, plan);
    const FrameRecord record = run_solver(shared_, plan).record;
    std::size_t most = 0;
    for (const HomogeneousCloud& cloud : shared_.clouds) most = std::max(most, cloud.size());
    EXPECT_GE(record.samples, 20000) << solver;
    EXPECT_LE(record.samples, 20000 + static_cast<std::int64_t>(most)) << solver;
  }
}

TEST_F(MethodRuns, ThePapersProtocol) {
  std::size_t most = 0;
  for (const HomogeneousCloud& cloud : shared_.clouds) most = std::max(most, cloud.size());
  const auto epoch = static_cast<std::int64_t>((most + 15) / 16);
  SegmentPlan vrsgt = plan_of("vrsgt", "l3");
  apply_paper_protocol(shared_, vrsgt);
  EXPECT_EQ(std::get<VrsgtOptions>(vrsgt.plane.solver).stop.max_iterations, 100 * epoch);
  EXPECT_EQ(std::get<VrsgtOptions>(vrsgt.plane.solver).batch, 16);
  SegmentPlan drsgd = plan_of("drsgd", "l3");
  apply_paper_protocol(shared_, drsgd);
  EXPECT_EQ(std::get<DrsgdOptions>(drsgd.plane.solver).stop.max_iterations, 200 * epoch);
  EXPECT_EQ(std::get<DrsgdOptions>(drsgd.plane.solver).schedule, StepSchedule::inverse_sqrt);
  SegmentPlan destiny = plan_of("destiny", "l3");
  EXPECT_THROW(apply_paper_protocol(shared_, destiny), InputError);
}

TEST(Budgets, BadOnesAreRefused) {
  for (const char* text : {"", "rounds", "rounds=", "=5", "rounds=0", "rounds=-4", "rounds=1.5",
                           "rounds=many", "rounds=5x", "hours=1", "seconds=0", "seconds=nan",
                           "samples=inf", "rounds=5,samples=6", "Rounds=5", " rounds=5"}) {
    EXPECT_THROW(Budget::parse(text), InputError) << text;
  }
  EXPECT_EQ(Budget::parse("seconds=0.5").to_string(), "seconds=0.5");
  EXPECT_EQ(Budget::parse("samples=1e6").amount, 1e6);
}

}  // namespace
}  // namespace roadplane
