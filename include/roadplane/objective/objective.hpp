#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <span>

namespace roadplane {

/// How an objective bends at X, for D in the tangent space there: by tr(D'C D) with C the
/// curvature. The moment is the same with every loss's weight, see weighted_moment(), in place of
/// its second derivative.
struct Bowl {
  Eigen::MatrixXd moment;
  Eigen::MatrixXd curvature;
};

/// What one agent minimises over n x p matrices: f_i(X) = 1/l sum_j f_i^[j](X), a mean over the
/// samples that it holds. N and P are n and p, or Eigen::Dynamic.
template <int N, int P>
class Objective {
 public:
  using Matrix = Eigen::Matrix<double, N, P>;
  using Batch = std::span<const std::uint32_t>;  ///< sample indices; may repeat

  virtual ~Objective() = default;

  virtual int n() const = 0;                  ///< rows of X
  virtual std::uint32_t samples() const = 0;  ///< l; may be 0, then f_i = 0

  virtual double value(const Matrix& x) const = 0;
  virtual void gradient(const Matrix& x, Matrix& result) const = 0;
  /// Mean of the gradients of the batch's samples.
  virtual void batch_gradient(const Matrix& x, Batch batch, Matrix& result) const = 0;
  /// The same at two points, for methods that need the difference; may share the memory traffic.
  virtual void batch_gradients(const Matrix& x, const Matrix& previous, Batch batch, Matrix& at_x,
                               Matrix& at_previous) const {
    batch_gradient(x, batch, at_x);
    batch_gradient(previous, batch, at_previous);
  }

  /// sum_j weight_j b_j b_j' / l at x, for a loss of projections x'b_j with slope weight_j x'b_j;
  /// false if the objective is of another kind.
  virtual bool weighted_moment(const Matrix&, Eigen::MatrixXd&) const { return false; }

  /// For an objective of the span of X alone; the second derivative is the mean of those along the
  /// columns of X. False if the objective is of another kind or does not know.
  virtual bool bowl(const Matrix&, Bowl&) const { return false; }

  /// Solves may differ in their coordinates. What X stands for in those that they have in common,
  /// and the objective there; none where they are the solve's own.
  virtual Matrix to_common(const Matrix& x) const { return x; }
  virtual std::unique_ptr<Objective> in_common() const { return nullptr; }

  /// A batch will be asked for soon: memory that it needs can be fetched meanwhile.
  virtual void prefetch(Batch) const {}
};

/// One objective per agent that this process hosts, in the channel's order.
template <int N, int P>
using Objectives = std::span<const std::unique_ptr<Objective<N, P>>>;

}  // namespace roadplane
