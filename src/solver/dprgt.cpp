#include "roadplane/solver/dprgt.hpp"

#include <utility>

namespace roadplane {

template <int N, int P>
Dprgt<N, P>::Dprgt(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
                   const DprgtOptions& options)
    : ProjectedTracking<N, P>(channel, objectives, std::move(x_init), options) {
  options.validate();
  this->start(0);
}

template <int N, int P>
void Dprgt<N, P>::first_estimate(int i, std::int64_t, Matrix& q) {
  this->riemannian_gradient(i, q);
}

template <int N, int P>
void Dprgt<N, P>::next_estimate(int i, std::int64_t, const Matrix&, Matrix& q) {
  this->riemannian_gradient(i, q);
}

template class Dprgt<Eigen::Dynamic, Eigen::Dynamic>;
template class Dprgt<4, 1>;

}  // namespace roadplane
