#pragma once

#include <string_view>

#include "roadplane/network/mixer.hpp"
#include "roadplane/solver/method.hpp"

namespace roadplane {

template <int N, int P>
class Drcgd;

/// How much of the last direction goes into the next one.
enum class Conjugacy {
  fletcher_reeves,  ///< |g+|^2 / |g|^2
  hybrid,           ///< Polak-Ribiere's <g+, g+ - P_x+(g)> / |g|^2, not below 0 nor above that
};

struct DrcgdOptions : SolverOptions {
  static constexpr std::string_view kName = "drcgd";
  static constexpr bool kMixesFirst = true;
  template <int N, int P>
  using Method = Drcgd<N, P>;

  Conjugacy conjugacy = Conjugacy::hybrid;
  StepSchedule schedule = StepSchedule::constant;  ///< over iterations
};

/// Decentralised Riemannian conjugate gradient descent (Chen, Ye, Wang, Huang, Dai, Tsang & Liu,
/// "Decentralized Riemannian Conjugate Gradient Method on the Stiefel Manifold", ICLR 2024,
/// arXiv:2308.10547): projections in place of retractions and vector transports,
///     x+ = P_M(W x + alpha eta),   eta+ = -g+ + beta+ P_x+(W eta),   eta = -g at the start,
/// with g_i the agent's own Riemannian gradient. There is no tracking: with a constant step the
/// agents stop where their own gradients, not their mean's, balance what mixing does; the paper's
/// proof has a falling step. Of the paper the abstract and public reviews were at hand. What they
/// do not tell is beta: the proof needs |beta| <= Fletcher-Reeves', which by itself tends to 1
/// where the agents' own gradients do not vanish, so that directions add up for ever; `hybrid`
/// (Gilbert & Nocedal, SIAM J. Optim. 1992) keeps the bound and tends to 0 there.
template <int N, int P>
class Drcgd final : public Method<N, P> {
 public:
  using typename Method<N, P>::Matrix;
  using Options = DrcgdOptions;

  Drcgd(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
        const DrcgdOptions& options);

  void iterate(std::int64_t iteration) override;
  std::int64_t start_samples() const override { return this->full_pass(); }

  std::span<const Matrix> directions() const { return eta_; }

 private:
  void start(std::int64_t iteration) override;
  Traffic iteration_traffic() const override { return mixer_.traffic(); }
  std::int64_t iteration_samples(std::int64_t) const override { return this->full_pass(); }
  /// beta+ of g_next_, `before` being the gradient before it.
  double beta(const Matrix& before, const Matrix& x);

  DrcgdOptions options_;
  Mixer mixer_;
  std::vector<Matrix> eta_;
  std::vector<Matrix> g_;
  Matrix g_next_;
  Matrix x_previous_;
  Matrix carried_;  ///< to the tangent space of the next iterate
};

}  // namespace roadplane
