#include "roadplane/solver/rivals/gossip_newton.hpp"

#include <string>
#include <utility>

#include "newton_step.hpp"
#include "roadplane/base/field_error.hpp"

namespace roadplane {

void GossipNewtonOptions::validate() const {
  SolverOptions::validate();
  require(tolerance > 0 && tolerance < 1, "tolerance", "a number in (0, 1)", tolerance);
}

template <int N, int P>
GossipNewton<N, P>::GossipNewton(Channel& channel, Objectives<N, P> objectives,
                                 std::vector<Matrix> x_init, const GossipNewtonOptions& options)
    : Method<N, P>(channel, objectives, std::move(x_init), options.step),
      slope_(this->zero()),
      rows_(channel, this->hosted(),
            2 * triangle_of(slope_.rows()) + static_cast<int>(slope_.size()), options.tolerance) {
  options.validate();
  for (Matrix& x : this->x_) this->stiefel_.retract(x);  // the method lives on the manifold
  if (!objectives.empty() && !objectives[0]->bowl(this->x_[0], bowl_)) {
    throw InputError("solver", "a loss whose second derivative is known, of a subspace",
                     "an objective without curvature (solver gossip-newton)");
  }
}

template <int N, int P>
void GossipNewton<N, P>::iterate(std::int64_t) {
  auto& x = this->x_;
  for (int i = 0; i < this->hosted(); ++i) {
    this->objectives_[i]->bowl(x[i], bowl_);
    this->objectives_[i]->gradient(x[i], slope_);
    double* row = pack_triangle(bowl_.curvature, pack_triangle(bowl_.moment, rows_.row(i)));
    // Agents differ in X: what the mean slope at one of them is follows from the mean of these.
    this->as_matrix(row) = bowl_.curvature * x[i] - slope_;
  }
  rows_.average();
  for (int i = 0; i < this->hosted(); ++i) {
    const double* row = unpack_triangle(rows_.row(i), bowl_.moment);
    row = unpack_triangle(row, bowl_.curvature);
    slope_ = bowl_.curvature * x[i] - this->as_matrix(row);
    const Matrix step = newton_step<N, P>(x[i], bowl_, slope_);
    this->residual_[i] = step.norm();
    x[i] += step;
    this->stiefel_.retract(x[i]);
  }
}

template class GossipNewton<Eigen::Dynamic, Eigen::Dynamic>;
template class GossipNewton<4, 1>;

}  // namespace roadplane
