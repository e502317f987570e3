#include "roadplane/compare/method_run.hpp"

#include <gtest/gtest.h>

#include "roadplane/base/input_error.hpp"
#include "roadplane/compare/budget.hpp"
#include "roadplane/compare/paper_protocol.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "roadplane/pipeline/frame_path.hpp"
#include "roadplane/pipeline/segment_frame.hpp"
#include "support/street.hpp"
#include "support/temp_dir.hpp"

namespace roadplane {
namespace {

SegmentPlan plan_of(const std::string& solver, const std::string& objective) {
  SegmentConfig config;
  config.surface = "plane";  // as in every comparison
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

/// Every solver on both objectives: nobody above a budget; a small one may give no result, and says
/// what would do; with a large one every method has a finite error.
TEST_F(MethodRuns, NobodyExceedsABudget) {
  for (const std::string_view solver : solver_names()) {
    for (const char* objective : {"robust", "l3"}) {
      for (const char* text : {"messages=25", "messages=150", "rounds=50", "rounds=300",
                               "samples=2000", "samples=100000", "bytes=2000", "bytes=100000"}) {
        SegmentPlan plan = plan_of(std::string(solver), objective);
        const Budget budget = Budget::parse(text);
        apply_budget(budget, shared_, plan);
        const FrameRecord record = run_solver(shared_, plan).record;
        EXPECT_LE(budget.spent(record), budget.amount) << solver << objective << text;
        if (record.status == FrameStatus::failed) {
          const std::string begin = "budget too small (needs ";
          ASSERT_TRUE(record.error.starts_with(begin)) << solver << objective << record.error;
          EXPECT_GT(std::stod(record.error.substr(begin.size())), budget.amount) << record.error;
        }
        const std::string large = text;
        if (large == "messages=150" || large == "rounds=300" || large == "samples=100000" ||
            large == "bytes=100000") {
          ASSERT_TRUE(record.score) << solver << objective << text << record.error;
          EXPECT_LT(record.score->recovery_error, 0.9) << solver << objective << text;
          EXPECT_TRUE(std::isfinite(record.gap.total()));
        }
      }
    }
  }
}

/// Shards of very different sizes: what is minimised is the mean over the points all the same.
TEST_F(MethodRuns, L3DoesNotDependOnHowManyPointsAnAgentHas) {
  SegmentPlan plan = plan_of("vrsgt", "l3");
  const FrameRecord even = run_solver(shared_, plan).record;
  SharedFrame uneven = shared_;
  for (int i = 1; i < uneven.shards.agents(); ++i) {  // most points go to agent 0
    auto& begin = uneven.shards.begins[static_cast<std::size_t>(i)];
    begin += 3 * (uneven.shards.begins.back() - begin) / 4;
  }
  uneven.clouds = clouds_of(uneven.scan, uneven.shards);
  const FrameRecord moved = run_solver(uneven, plan).record;
  EXPECT_LT((even.w - moved.w).norm(), 1e-6);
}

TEST_F(MethodRuns, ThePapersProtocol) {
  const auto epoch = static_cast<std::int64_t>((largest_shard(shared_) + 15) / 16);
  SegmentPlan vrsgt = plan_of("vrsgt", "l3");
  apply_paper_protocol(largest_shard(shared_), 0, vrsgt);
  EXPECT_EQ(std::get<VrsgtOptions>(vrsgt.plane.solver).stop.max_iterations, 100 * epoch);
  EXPECT_EQ(std::get<VrsgtOptions>(vrsgt.plane.solver).batch, 16);
  SegmentPlan drsgd = plan_of("drsgd", "l3");
  apply_paper_protocol(largest_shard(shared_), 0, drsgd);
  const auto& options = std::get<DrsgdOptions>(drsgd.plane.solver);
  EXPECT_EQ(options.stop.max_iterations, 200 * epoch);
  EXPECT_EQ(options.schedule, StepSchedule::constant);
  EXPECT_NEAR(options.step, 0.0566, 1e-4);  // 0.05 / sqrt(200) on a sum of 16
  SegmentPlan destiny = plan_of("destiny", "l3");
  EXPECT_THROW(apply_paper_protocol(largest_shard(shared_), 0, destiny), InputError);
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
