#pragma once

#include <string_view>

#include "roadplane/network/mixer.hpp"
#include "roadplane/solver/method.hpp"

namespace roadplane {

template <int N, int P>
class Drsgd;

struct DrsgdOptions : SolverOptions {
  static constexpr std::string_view kName = "drsgd";
  static constexpr double kStepWhenWhitened = 0.005;
  template <int N, int P>
  using Method = Drsgd<N, P>;

  double consensus_step = 1;  ///< alpha
  int batch = 16;             ///< samples per iteration, without replacement within an epoch
  StepSchedule schedule = StepSchedule::constant;  ///< over epochs

  void validate() const;
};

/// Decentralised Riemannian stochastic gradient descent (Chen, Garcia, Hong & Shahrampour,
/// "Decentralized Riemannian Gradient Descent on the Stiefel Manifold", ICML 2021).
template <int N, int P>
class Drsgd final : public Method<N, P> {
 public:
  using typename Method<N, P>::Matrix;
  using Options = DrsgdOptions;

  Drsgd(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
        const DrsgdOptions& options);

  void iterate(std::int64_t iteration) override;
  std::int64_t start_samples() const override { return 0; }

 private:
  void start(std::int64_t iteration) override;
  Traffic iteration_traffic() const override { return mixer_.traffic(); }
  std::int64_t iteration_samples(std::int64_t iteration) const override;
  /// The next samples of agent `row`'s pass over its shard, in random order; none once the shard
  /// is through, until the epoch ends: all agents begin an epoch together.
  std::span<const std::uint32_t> draw(int row, std::int64_t iteration);

  DrsgdOptions options_;
  Mixer mixer_;
  std::int64_t epoch_length_;  ///< [iterations] of the agent with the largest shard
  std::vector<std::vector<std::uint32_t>> order_;  ///< per agent, the permutation being drawn
  Matrix gradient_;
  Matrix towards_neighbours_;
};

}  // namespace roadplane
