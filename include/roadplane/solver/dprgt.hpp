#pragma once

#include <string_view>

#include "roadplane/solver/projected_tracking.hpp"

namespace roadplane {

template <int N, int P>
class Dprgt;

struct DprgtOptions : SolverOptions {
  static constexpr std::string_view kName = "dprgt";
  static constexpr bool kMixesFirst = true;
  template <int N, int P>
  using Method = Dprgt<N, P>;
};

/// Decentralised projected Riemannian gradient tracking (Deng & Hu, "Decentralized projected
/// Riemannian gradient method for smooth optimization on compact submanifolds", arXiv:2304.08241,
/// 2023): q is the full local Riemannian gradient. Exact with a constant step.
template <int N, int P>
class Dprgt final : public ProjectedTracking<N, P> {
 public:
  using typename Method<N, P>::Matrix;
  using Options = DprgtOptions;

  Dprgt(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
        const DprgtOptions& options);

  std::int64_t start_samples() const override { return this->full_pass(); }

 private:
  void first_estimate(int row, std::int64_t iteration, Matrix& q) override;
  void next_estimate(int row, std::int64_t iteration, const Matrix& previous, Matrix& q) override;
  std::int64_t iteration_samples(std::int64_t) const override { return this->full_pass(); }
};

}  // namespace roadplane
