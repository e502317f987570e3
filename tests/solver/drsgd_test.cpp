#include "roadplane/solver/rivals/drsgd.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "roadplane/solver/options.hpp"
#include "roadplane/solver/rivals/drgta.hpp"

namespace roadplane {
namespace {

/// Remembers which samples it was asked for.
class Recorder final : public Objective<4, 1> {
 public:
  explicit Recorder(std::uint32_t samples) : samples_(samples) {}
  int n() const override { return 4; }
  std::uint32_t samples() const override { return samples_; }
  double value(const Matrix&) const override { return 0; }
  void gradient(const Matrix&, Matrix& result) const override { result.setZero(); }
  void batch_gradient(const Matrix&, Batch batch, Matrix& result) const override {
    drawn.insert(drawn.end(), batch.begin(), batch.end());
    result.setZero();
  }
  mutable std::vector<std::uint32_t> drawn;

 private:
  std::uint32_t samples_;
};

TEST(Drsgd, DrawsWithoutReplacementWithinAnEpochAndAnewInTheNext) {
  const Network network(Graph::path(1));
  LocalChannel channel(network);
  std::vector<std::unique_ptr<Objective<4, 1>>> objectives;
  objectives.push_back(std::make_unique<Recorder>(50));
  const auto& recorder = static_cast<const Recorder&>(*objectives[0]);
  DrsgdOptions options;
  options.batch = 16;  // 4 batches an epoch: 16, 16, 16 and 2
  options.stop.max_iterations = 8;
  solve<Drsgd>(channel, objectives, Eigen::Vector4d(Eigen::Vector4d::UnitX()), options);
  ASSERT_EQ(recorder.drawn.size(), 100U);
  std::vector<std::uint32_t> first(recorder.drawn.begin(), recorder.drawn.begin() + 50);
  std::vector<std::uint32_t> second(recorder.drawn.begin() + 50, recorder.drawn.end());
  EXPECT_NE(first, second);
  for (auto* epoch : {&first, &second}) {
    std::sort(epoch->begin(), epoch->end());
    for (std::uint32_t k = 0; k < 50; ++k) EXPECT_EQ((*epoch)[k], k);
  }
}

TEST(Drsgd, AnAgentWithAShortShardWaitsForTheEndOfTheEpoch) {
  const Network network(Graph::path(2));
  LocalChannel channel(network);
  std::vector<std::unique_ptr<Objective<4, 1>>> objectives;
  objectives.push_back(std::make_unique<Recorder>(20));
  objectives.push_back(std::make_unique<Recorder>(50));
  DrsgdOptions options;
  options.batch = 16;  // an epoch is 4 iterations, by the larger shard
  options.stop.max_iterations = 8;
  solve<Drsgd>(channel, objectives, Eigen::Vector4d(Eigen::Vector4d::UnitX()), options);
  const auto drawn = [&](int i) { return static_cast<const Recorder&>(*objectives[i]).drawn; };
  EXPECT_EQ(drawn(0).size(), 2U * 20);
  EXPECT_EQ(drawn(1).size(), 2U * 50);
}

TEST(Drsgd, StepSchedules) {
  EXPECT_EQ(scheduled_step(2, StepSchedule::constant, 9), 2);
  EXPECT_DOUBLE_EQ(scheduled_step(2, StepSchedule::inverse_sqrt, 9), 2.0 / 3);
  EXPECT_DOUBLE_EQ(scheduled_step(2, StepSchedule::inverse, 9), 2.0 / 9);
}

}  // namespace
}  // namespace roadplane
