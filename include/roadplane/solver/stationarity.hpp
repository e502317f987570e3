#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "roadplane/network/channel.hpp"
#include "roadplane/objective/objective.hpp"
#include "roadplane/solver/stiefel.hpp"

namespace roadplane {

/// StaGap(X) = ||1/d sum_i G_i(Xbar)||^2 + 1/d sum_i ||X_i - Xbar||^2 + ||Xbar'Xbar - I||^2.
struct StationarityGap {
  double gradient = 0;     ///< ||1/d sum_i G_i(Xbar)||^2
  double consensus = 0;    ///< 1/d sum_i ||X_i - Xbar||^2
  double feasibility = 0;  ///< ||Xbar'Xbar - I||^2

  double total() const { return gradient + consensus + feasibility; }
};

/// Looks at all agents at once, as none of them can, and in coordinates that all solves of a
/// problem have in common, see Objective::to_common. For traces and reports only: it costs a full
/// pass and a global view, and no algorithm depends on it. Agents that have left do not count.
template <int N, int P>
class Observer {
 public:
  using Matrix = typename Objective<N, P>::Matrix;

  Observer(const Channel& channel, Objectives<N, P> objectives, int p);

  void observe(std::span<const Matrix> hosted_iterates);

  const StationarityGap& gap() const { return gap_; }
  /// f(Xbar) of what was observed last; another full pass.
  double objective();
  const Matrix& mean() const { return mean_; }  ///< Xbar

  /// The minimiser that Newton's method leads to from the mean of these, with the sums over all
  /// points in one place; none if it leads nowhere, or the objective has no bowl.
  std::optional<Matrix> minimiser(std::span<const Matrix> hosted_iterates);
  /// How far the worst of all agents is from it, whatever the basis of the span.
  double distance(std::span<const Matrix> hosted_iterates, const Matrix& minimiser) const;

 private:
  void average_iterates(std::span<const Matrix> hosted_iterates);
  void average_gradients();
  bool average_bowl(const Matrix& x, Bowl& bowl, Matrix& slope) const;
  bool counts(int agent) const;  ///< who has left does not
  int counted() const;
  const Objective<N, P>& common(std::size_t r) const {
    return common_[r] ? *common_[r] : *objectives_[r];
  }

  const Channel& channel_;
  Objectives<N, P> objectives_;
  std::vector<std::unique_ptr<Objective<N, P>>> common_;  ///< where they are not the same
  Stiefel<N, P> stiefel_;
  Matrix mean_;
  Matrix scratch_;
  Matrix direction_;
  std::vector<double> hosted_rows_;
  std::vector<double> all_rows_;
  StationarityGap gap_;
};

}  // namespace roadplane
