#include "roadplane/solver/rivals/gossip_irls.hpp"

#include <Eigen/Eigenvalues>
#include <string>
#include <utility>

#include "roadplane/base/field_error.hpp"

namespace roadplane {

void GossipIrlsOptions::validate() const {
  SolverOptions::validate();
  require(tolerance > 0 && tolerance < 1, "tolerance", "a number in (0, 1)", tolerance);
}

template <int N, int P>
GossipIrls<N, P>::GossipIrls(Channel& channel, Objectives<N, P> objectives,
                             std::vector<Matrix> x_init, const GossipIrlsOptions& options)
    : Method<N, P>(channel, objectives, std::move(x_init), options.step),
      rows_(channel, this->hosted(), triangle_of(this->x_[0].rows()), options.tolerance) {
  options.validate();
  if (!objectives.empty() && !objectives[0]->weighted_moment(this->x_[0], moment_)) {
    throw InputError("solver", "a loss of projections, in coordinates that keep lengths",
                     "an objective without weighted moments (solver gossip-irls)");
  }
}

template <int N, int P>
void GossipIrls<N, P>::iterate(std::int64_t) {
  auto& x = this->x_;
  for (int i = 0; i < this->hosted(); ++i) {
    this->objectives_[i]->weighted_moment(x[i], moment_);
    pack_triangle(moment_, rows_.row(i));
  }
  rows_.average();
  for (int i = 0; i < this->hosted(); ++i) {
    unpack_triangle(rows_.row(i), moment_);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(moment_);
    Matrix next = eigen.eigenvectors().leftCols(x[i].cols());
    for (Eigen::Index c = 0; c < next.cols(); ++c) {  // an eigenvector has no sign of its own
      if (next.col(c).dot(x[i].col(c)) < 0) next.col(c) *= -1;
    }
    this->residual_[i] = (next - x[i]).norm();
    x[i] = next;
  }
}

template class GossipIrls<Eigen::Dynamic, Eigen::Dynamic>;
template class GossipIrls<4, 1>;

}  // namespace roadplane
