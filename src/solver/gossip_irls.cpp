#include "roadplane/solver/gossip_irls.hpp"

#include <Eigen/Eigenvalues>
#include <string>
#include <utility>

#include "roadplane/base/field_error.hpp"
#include "roadplane/network/gossip.hpp"

namespace roadplane {

void GossipIrlsOptions::validate() const {
  SolverOptions::validate();
  require(tolerance > 0 && tolerance < 1, "tolerance", "a number in (0, 1)", tolerance);
}

template <int N, int P>
GossipIrls<N, P>::GossipIrls(Channel& channel, Objectives<N, P> objectives,
                             std::vector<Matrix> x_init, const GossipIrlsOptions& options)
    : Method<N, P>(channel, objectives, std::move(x_init), options.step), options_(options) {
  options.validate();
  const auto n = static_cast<std::size_t>(this->x_[0].rows());
  rows_.resize(this->x_.size() * (n * (n + 1) / 2));
  this->stage_length_ = 2;
  if (!objectives.empty() && !objectives[0]->weighted_moment(this->x_[0], moment_)) {
    throw InputError("solver", "a loss of projections, in coordinates that keep lengths",
                     "an objective without weighted moments (solver gossip-irls)");
  }
}

template <int N, int P>
void GossipIrls<N, P>::iterate(std::int64_t) {
  auto& x = this->x_;
  const Eigen::Index n = x[0].rows();
  double* row = rows_.data();
  for (int i = 0; i < this->hosted(); ++i) {
    this->objectives_[i]->weighted_moment(x[i], moment_);
    for (Eigen::Index r = 0; r < n; ++r) {
      for (Eigen::Index c = 0; c <= r; ++c) *row++ = moment_(r, c);
    }
  }
  gossip_average(this->channel_, rows_, static_cast<int>(n * (n + 1) / 2), options_.tolerance,
                 {.chebyshev = true, .single = true});
  const double* agreed = rows_.data();
  for (int i = 0; i < this->hosted(); ++i) {
    for (Eigen::Index r = 0; r < n; ++r) {
      for (Eigen::Index c = 0; c <= r; ++c) moment_(r, c) = moment_(c, r) = *agreed++;
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(moment_);
    Matrix next = eigen.eigenvectors().leftCols(x[i].cols());
    for (Eigen::Index c = 0; c < next.cols(); ++c) {  // an eigenvector has no sign of its own
      if (next.col(c).dot(x[i].col(c)) < 0) next.col(c) *= -1;
    }
    this->residual_[i] = (next - x[i]).norm();
    x[i] = next;
  }
  this->samples_ += this->full_pass();
}

template class GossipIrls<Eigen::Dynamic, Eigen::Dynamic>;
template class GossipIrls<4, 1>;

}  // namespace roadplane
