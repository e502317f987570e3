#pragma once

#include <string_view>

#include "roadplane/solver/gossiped_rows.hpp"
#include "roadplane/solver/method.hpp"

namespace roadplane {

template <int N, int P>
class GossipIrls;

struct GossipIrlsOptions : SolverOptions {
  static constexpr std::string_view kName = "gossip-irls";
  static constexpr bool kScaleIsNothing = true;
  template <int N, int P>
  using Method = GossipIrls<N, P>;

  double tolerance = 1e-4;  ///< to which the agents agree on a moment, relative to disagreement

  void validate() const;
};

/// Reweighted least squares by gossip, for losses of projections x'b: the agents average their
/// weighted second moments, n(n+1)/2 numbers, and take the p directions in which the mean has
/// least. No step size, few iterations, messages that grow with the square of n. (The iteration is
/// that of Weiszfeld and of Holland & Welsch, "Robust regression using iteratively reweighted
/// least-squares", 1977; the averaging is plain gossip.)
template <int N, int P>
class GossipIrls final : public Method<N, P> {
 public:
  using typename Method<N, P>::Matrix;
  using Options = GossipIrlsOptions;

  GossipIrls(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
             const GossipIrlsOptions& options);

  void iterate(std::int64_t iteration) override;
  std::int64_t start_samples() const override { return 0; }

 private:
  void start(std::int64_t) override {}  // nothing is kept but the iterates
  Traffic iteration_traffic() const override { return rows_.traffic(); }
  std::int64_t iteration_samples(std::int64_t) const override { return this->full_pass(); }

  Eigen::MatrixXd moment_;
  GossipedRows rows_;  ///< lower triangles
};

}  // namespace roadplane
