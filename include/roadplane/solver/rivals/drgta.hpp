#pragma once

#include <string_view>

#include "roadplane/network/mixer.hpp"
#include "roadplane/solver/method.hpp"

namespace roadplane {

template <int N, int P>
class Drgta;

struct DrgtaOptions : SolverOptions {
  static constexpr std::string_view kName = "drgta";
  static constexpr bool kMixesFirst = true;
  template <int N, int P>
  using Method = Drgta<N, P>;

  double consensus_step = 1;                       ///< alpha
  StepSchedule schedule = StepSchedule::constant;  ///< over iterations

  void validate() const;
};

/// Decentralised Riemannian gradient tracking (Chen, Garcia, Hong & Shahrampour, "Decentralized
/// Riemannian Gradient Descent on the Stiefel Manifold", ICML 2021): full local gradients.
template <int N, int P>
class Drgta final : public Method<N, P> {
 public:
  using typename Method<N, P>::Matrix;
  using Options = DrgtaOptions;

  Drgta(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
        const DrgtaOptions& options);

  void iterate(std::int64_t iteration) override;
  std::int64_t start_samples() const override { return this->full_pass(); }

  /// s_i, the agents' estimates of everybody's mean Riemannian gradient.
  std::span<const Matrix> trackers() const { return s_; }

 private:
  void start(std::int64_t iteration) override;
  Traffic iteration_traffic() const override { return mixer_.traffic(); }
  std::int64_t iteration_samples(std::int64_t) const override { return this->full_pass(); }

  DrgtaOptions options_;
  Mixer mixer_;
  std::vector<Matrix> s_;  ///< trackers of the mean gradient
  std::vector<Matrix> g_;  ///< local gradients
  Matrix g_next_;
  Matrix update_;
  Matrix tracked_;
};

}  // namespace roadplane
