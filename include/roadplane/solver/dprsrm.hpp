#pragma once

#include <string_view>

#include "roadplane/solver/projected_tracking.hpp"

namespace roadplane {

template <int N, int P>
class Dprsrm;

struct DprsrmOptions : SolverOptions {
  static constexpr std::string_view kName = "dprsrm";
  static constexpr bool kMixesFirst = true;
  template <int N, int P>
  using Method = Dprsrm<N, P>;

  double momentum = 0.1;  ///< tau: the share of q that an iteration forgets
  int batch = 16;         ///< samples drawn per iteration, with replacement

  void validate() const;
};

/// Decentralised projected Riemannian stochastic recursive momentum (Deng & Hu, "Decentralized
/// Projected Riemannian Stochastic Recursive Momentum Method for Nonconvex Optimization", AAAI
/// 2025, arXiv:2412.02382): no full gradient ever, not even at the start. q is the hybrid estimate
///     q+ = grad_C f_i(x+) + (1 - tau) (q - grad_C f_i(x)),   C the iteration's batch,
/// with Riemannian gradients as vectors of the surrounding space: the standard recursive momentum
/// of Cutkosky & Orabona (NeurIPS 2019). Of the paper only the abstract was at hand to check this
/// against: details of its estimator may differ. With a constant tau the noise shrinks, but does
/// not vanish.
template <int N, int P>
class Dprsrm final : public ProjectedTracking<N, P> {
 public:
  using typename Method<N, P>::Matrix;
  using Options = DprsrmOptions;

  Dprsrm(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
         const DprsrmOptions& options);

  std::int64_t start_samples() const override { return options_.batch; }

 private:
  void first_estimate(int row, std::int64_t iteration, Matrix& q) override;
  void next_estimate(int row, std::int64_t iteration, const Matrix& previous, Matrix& q) override;
  std::int64_t iteration_samples(std::int64_t) const override { return 2 * options_.batch; }
  std::span<const std::uint32_t> draw(int row, std::int64_t iteration);

  DprsrmOptions options_;
  std::vector<std::uint32_t> batch_;
  Matrix gradient_;
  Matrix gradient_previous_;
};

}  // namespace roadplane
