#pragma once

#include <string_view>

#include "roadplane/network/mixer.hpp"
#include "roadplane/solver/method.hpp"

namespace roadplane {

template <int N, int P>
class RfExtra;

struct RfExtraOptions : SolverOptions {
  static constexpr std::string_view kName = "rf-extra";
  template <int N, int P>
  using Method = RfExtra<N, P>;

  double penalty = 1;  ///< beta, the weight of the orthogonality constraint

  void validate() const;
};

/// Retraction-free EXTRA, after Li & Hu, "A Retraction-Free EXTRA Method for Decentralized
/// Optimization on the Stiefel Manifold", arXiv:2604.23754, 2026. Of the paper the abstract was at
/// hand: "an approximate gradient mapping for orthogonality-constrained optimization with an
/// EXTRA-based decentralized recursion", with local directions s. Derived from that: EXTRA (Shi,
/// Ling, Wu & Yin, SIOPT 2015; V = (I + W) / 2) with the search direction H of VRSGT and DESTINY
/// for the gradient,
///     x+ = W x + s,   s+ = (W - V) x + s - alpha (H(x+) - H(x)),   s = -alpha H(x) at the start.
/// The paper's own mapping may differ. Only x travels; exact with a constant step.
template <int N, int P>
class RfExtra final : public Method<N, P> {
 public:
  using typename Method<N, P>::Matrix;
  using Options = RfExtraOptions;

  RfExtra(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
          const RfExtraOptions& options);

  void iterate(std::int64_t iteration) override;
  std::int64_t start_samples() const override { return this->full_pass(); }

  /// s_i and H_i(x_i); at every iteration mean_i s_i = -alpha mean_i H_i(x_i).
  std::span<const Matrix> corrections() const { return s_; }
  std::span<const Matrix> fields() const { return h_; }

 private:
  void start(std::int64_t iteration) override;
  Traffic iteration_traffic() const override { return mixer_.traffic(); }
  std::int64_t iteration_samples(std::int64_t) const override { return this->full_pass(); }
  void field(int row, Matrix& result);

  RfExtraOptions options_;
  Mixer mixer_;
  std::vector<Matrix> s_;
  std::vector<Matrix> h_;
  Matrix h_next_;
  Matrix x_previous_;
  Matrix gradient_;
};

}  // namespace roadplane
