#pragma once

#include <string_view>

#include "roadplane/solver/gossiped_rows.hpp"
#include "roadplane/solver/method.hpp"

namespace roadplane {

template <int N, int P>
class GossipNewton;

struct GossipNewtonOptions : SolverOptions {
  static constexpr std::string_view kName = "gossip-newton";
  template <int N, int P>
  using Method = GossipNewton<N, P>;

  double tolerance = 1e-4;  ///< to which the agents agree on their sums, relative to disagreement

  void validate() const;
};

/// Newton's method by gossip: the agents average the weighted moment, the curvature and the slope
/// of their objectives, n(n+1) + np numbers, and each takes the safeguarded step that follows, see
/// newton_step(). No step size, very few iterations, messages more than twice as long as those of
/// gossip-IRLS.
template <int N, int P>
class GossipNewton final : public Method<N, P> {
 public:
  using typename Method<N, P>::Matrix;
  using Options = GossipNewtonOptions;

  GossipNewton(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
               const GossipNewtonOptions& options);

  void iterate(std::int64_t iteration) override;
  std::int64_t start_samples() const override { return 0; }

 private:
  void start(std::int64_t) override {}  // nothing is kept but the iterates
  Traffic iteration_traffic() const override { return rows_.traffic(); }
  std::int64_t iteration_samples(std::int64_t) const override { return this->full_pass(); }

  Bowl bowl_;
  Matrix slope_;
  GossipedRows rows_;
};

}  // namespace roadplane
