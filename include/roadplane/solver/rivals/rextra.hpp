#pragma once

#include <string_view>

#include "roadplane/network/mixer.hpp"
#include "roadplane/solver/method.hpp"

namespace roadplane {

template <int N, int P>
class Rextra;

struct RextraOptions : SolverOptions {
  static constexpr std::string_view kName = "rextra";
  template <int N, int P>
  using Method = Rextra<N, P>;
};

/// Riemannian EXTRA (Wu, Deng, Hu, Su & Wen, "Riemannian EXTRA: Communication-efficient
/// decentralized optimization over compact submanifolds with data heterogeneity",
/// arXiv:2505.15537, 2025), with V = (I + W) / 2 as in EXTRA (Shi, Ling, Wu & Yin, SIOPT 2015):
///     x+ = P_M(W x + s),   s+ = (W - V) x + s - alpha (grad f(x+) - grad f(x)),
/// s = -alpha grad f(x) at the start. Only x travels, half of what tracking sends, and still it is
/// exact with a constant step: s_i sums up the disagreement that the agent has seen.
template <int N, int P>
class Rextra final : public Method<N, P> {
 public:
  using typename Method<N, P>::Matrix;
  using Options = RextraOptions;

  Rextra(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
         const RextraOptions& options);

  void iterate(std::int64_t iteration) override;
  std::int64_t start_samples() const override { return this->full_pass(); }

  /// s_i and the Riemannian gradients; at every iteration mean_i s_i = -alpha mean_i grad f_i(x_i).
  std::span<const Matrix> corrections() const { return s_; }
  std::span<const Matrix> gradients() const { return g_; }

 private:
  void start(std::int64_t iteration) override;
  Traffic iteration_traffic() const override { return mixer_.traffic(); }
  std::int64_t iteration_samples(std::int64_t) const override { return this->full_pass(); }

  Mixer mixer_;
  std::vector<Matrix> s_;
  std::vector<Matrix> g_;
  Matrix g_next_;
  Matrix x_previous_;
  Matrix tangential_;
};

}  // namespace roadplane
