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

namespace {

constexpr GossipOptions kHow{.chebyshev = true, .wire = Wire::single, .once = true};

int triangle_of(Eigen::Index n) { return static_cast<int>(n * (n + 1) / 2); }

/// How gossip_average() takes kHow on a network.
GossipOptions gossip_of(const Network& network, double tolerance) {
  GossipOptions how = kHow;
  how.rounds = gossip_rounds(network.round_factor, tolerance, how.chebyshev && network.steady());
  return how;
}

}  // namespace

template <int N, int P>
GossipIrls<N, P>::GossipIrls(Channel& channel, Objectives<N, P> objectives,
                             std::vector<Matrix> x_init, const GossipIrlsOptions& options)
    : Method<N, P>(channel, objectives, std::move(x_init), options.step), options_(options) {
  options.validate();
  const Eigen::Index n = this->x_[0].rows();
  rows_.resize(this->x_.size() * static_cast<std::size_t>(triangle_of(n)));
  const Network& network = channel.network();
  traffic_ = Mixer(channel, triangle_of(n), gossip_of(network, options.tolerance)).traffic();
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
  const Traffic before = this->channel_.traffic();
  gossip_average(this->channel_, rows_, triangle_of(n), options_.tolerance, kHow);
  if (const Traffic took = this->channel_.traffic() - before; took.rounds > traffic_.rounds) {
    traffic_ = took;
  }
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
}

template class GossipIrls<Eigen::Dynamic, Eigen::Dynamic>;
template class GossipIrls<4, 1>;

}  // namespace roadplane
