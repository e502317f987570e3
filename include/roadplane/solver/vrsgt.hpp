#pragma once

#include <string_view>

#include "roadplane/network/mixer.hpp"
#include "roadplane/solver/method.hpp"

namespace roadplane {

template <int N, int P>
class Vrsgt;

struct VrsgtOptions : SolverOptions {
  static constexpr std::string_view kName = "vrsgt";
  template <int N, int P>
  using Method = Vrsgt<N, P>;

  double penalty = 1;  ///< beta, the weight of the orthogonality constraint; 0 is without
  int batch = 16;      ///< tau, samples drawn per inner iteration, with replacement
  static constexpr int kAutomatic = -1;
  int inner_iterations = kAutomatic;  ///< q between full gradients; automatic is ceil(sqrt(l))

  void validate() const;
};

/// Variance-reduced stochastic gradient tracking (Wang & Liu, "A Variance-Reduced Stochastic
/// Gradient Tracking Algorithm for Decentralized Optimization with Orthogonality Constraints",
/// Algorithm 1).
template <int N, int P>
class Vrsgt : public Method<N, P> {
 public:
  using typename Method<N, P>::Matrix;
  using Options = VrsgtOptions;

  Vrsgt(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
        const VrsgtOptions& options);

  void iterate(std::int64_t iteration) override;
  double residual(int row) const override;
  std::int64_t start_samples() const override { return this->full_pass(); }

  /// D_i - S_i: what the others' functions add to an agent's own direction.
  std::vector<Matrix> kept() const override;
  void go_on_with(std::span<const Matrix> kept) override;

  /// S_i, the agents' estimates of their own directions, and D_i, those of everybody's mean
  /// direction. At every iteration mean_i D_i = mean_i S_i.
  std::span<const Matrix> estimates() const { return s_; }
  std::span<const Matrix> trackers() const { return d_; }

 private:
  bool is_outer(std::int64_t iteration) const { return (iteration - 1) % period_ == 0; }
  void start(std::int64_t iteration) override;
  Traffic iteration_traffic() const override { return mixer_.traffic(); }
  std::int64_t iteration_samples(std::int64_t iteration) const override {
    return is_outer(iteration) ? this->full_pass() : 2 * options_.batch;
  }
  void draw_batch(int row, std::int64_t iteration);
  std::span<const std::uint32_t> batch(int row) const;
  void full_direction(int row, Matrix& result);
  void recursive_direction(int row, Matrix& result);

  VrsgtOptions options_;
  std::int64_t period_;  ///< an outer and its q inner iterations
  Mixer mixer_;
  std::vector<Matrix> s_;
  std::vector<Matrix> d_;
  std::vector<Matrix> x_previous_;
  std::vector<std::uint32_t> batches_;  ///< tau indices per hosted agent
  Matrix gradient_;
  Matrix gradient_previous_;
  Matrix direction_;
  Matrix s_next_;
};

}  // namespace roadplane
