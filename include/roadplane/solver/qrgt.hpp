#pragma once

#include <string_view>

#include "roadplane/network/mixer.hpp"
#include "roadplane/solver/method.hpp"

namespace roadplane {

template <int N, int P>
class Qrgt;

struct QrgtOptions : SolverOptions {
  static constexpr std::string_view kName = "q-rgt";
  static constexpr bool kMixesFirst = true;
  template <int N, int P>
  using Method = Qrgt<N, P>;

  int bits = 8;        ///< of a number in a message, 4 to 12; a network's own wire comes first
  double penalty = 1;  ///< lambda, the pull back to the manifold
  double consensus_step = 0.5;  ///< gamma

  void validate() const;
};

/// Quantised Riemannian gradient tracking, after Chen, Liu, Zhu, Liu, Dai, Jiang & Tsang,
/// "Decentralized Optimization on Compact Submanifolds by Quantized Riemannian Gradient Tracking",
/// IEEE TSP 2025, arXiv:2506.07351. Of the paper the abstract was at hand: gradient tracking with
/// quantised messages that needs no retraction, since a landing term keeps the iterates near the
/// manifold. Derived from that:
///     x+ = x + gamma (W - I) Q(x) - alpha s,   s+ = s + gamma (W - I) Q(s) + h+ - h,
///     h_i = G_i(x_i) + lambda x_i (x_i'x_i - I),   s = h at the start,
/// G as in VRSGT: on the manifold h is the Riemannian gradient, off it the field of landing methods
/// (Ablin & Peyre, AISTATS 2022). Q is Wire::few: unbiased, of changes, so that its noise vanishes
/// with them and the method is exact with a constant step; gamma is the step of gossip with
/// compressed messages (Koloskova et al., ICML 2019). With gamma = 1 and penalties of 1 a step of
/// 0.05 diverges on a ring of 8, where W has the eigenvalue -1/3. The paper's own quantiser may
/// differ.
template <int N, int P>
class Qrgt final : public Method<N, P> {
 public:
  using typename Method<N, P>::Matrix;
  using Options = QrgtOptions;

  Qrgt(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
       const QrgtOptions& options);

  void iterate(std::int64_t iteration) override;
  std::int64_t start_samples() const override { return this->full_pass(); }

  /// s_i and h_i; at every iteration mean_i s_i = mean_i h_i, whatever was quantised.
  std::span<const Matrix> trackers() const { return s_; }
  std::span<const Matrix> fields() const { return h_; }

 private:
  void start(std::int64_t iteration) override;
  Traffic iteration_traffic() const override { return mixer_.traffic(); }
  std::int64_t iteration_samples(std::int64_t) const override { return this->full_pass(); }
  void field(int row, Matrix& result);

  QrgtOptions options_;
  Mixer mixer_;
  std::vector<Matrix> s_;
  std::vector<Matrix> h_;
  Matrix h_next_;
  Matrix x_previous_;
  Matrix gradient_;
};

}  // namespace roadplane
