#pragma once

#include <string_view>

#include "roadplane/network/mixer.hpp"
#include "roadplane/solver/method.hpp"

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
/// 2023), with g_i the full local Riemannian gradient:
///     x+ = P_M(W x - alpha P_x(s)),   s+ = W s + g+ - g.
/// Exact with a constant step.
template <int N, int P>
class Dprgt final : public Method<N, P> {
 public:
  using typename Method<N, P>::Matrix;
  using Options = DprgtOptions;

  Dprgt(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
        const DprgtOptions& options);

  void iterate(std::int64_t iteration) override;
  std::int64_t start_samples() const override { return this->full_pass(); }

  /// g_i and s_i; at every iteration mean_i s_i = mean_i g_i.
  std::span<const Matrix> gradients() const { return g_; }
  std::span<const Matrix> trackers() const { return s_; }

 private:
  void start(std::int64_t iteration) override;
  Traffic iteration_traffic() const override { return mixer_.traffic(); }
  std::int64_t iteration_samples(std::int64_t) const override { return this->full_pass(); }

  Mixer mixer_;
  std::vector<Matrix> g_;
  std::vector<Matrix> s_;
  Matrix g_next_;
  Matrix x_previous_;
  Matrix tracked_;
};

}  // namespace roadplane
