#pragma once

#include <memory>
#include <utility>

#include "roadplane/objective/objective.hpp"

namespace roadplane {

/// Another objective times a factor, such as an agent's share of all points: the mean over agents
/// is then the mean over points.
template <int N, int P>
class WeightedObjective final : public Objective<N, P> {
 public:
  using typename Objective<N, P>::Matrix;
  using typename Objective<N, P>::Batch;

  WeightedObjective(std::unique_ptr<Objective<N, P>> objective, double factor)
      : objective_(std::move(objective)), factor_(factor) {}

  int n() const override { return objective_->n(); }
  std::uint32_t samples() const override { return objective_->samples(); }

  double value(const Matrix& x) const override { return factor_ * objective_->value(x); }
  void gradient(const Matrix& x, Matrix& result) const override {
    objective_->gradient(x, result);
    result *= factor_;
  }
  void batch_gradient(const Matrix& x, Batch batch, Matrix& result) const override {
    objective_->batch_gradient(x, batch, result);
    result *= factor_;
  }
  void batch_gradients(const Matrix& x, const Matrix& previous, Batch batch, Matrix& at_x,
                       Matrix& at_previous) const override {
    objective_->batch_gradients(x, previous, batch, at_x, at_previous);
    at_x *= factor_;
    at_previous *= factor_;
  }
  bool weighted_moment(const Matrix& x, Eigen::MatrixXd& result) const override {
    if (!objective_->weighted_moment(x, result)) return false;
    result *= factor_;
    return true;
  }
  bool bowl(const Matrix& x, Bowl& result) const override {
    if (!objective_->bowl(x, result)) return false;
    result.moment *= factor_;
    result.curvature *= factor_;
    return true;
  }
  void prefetch(Batch batch) const override { objective_->prefetch(batch); }

 private:
  std::unique_ptr<Objective<N, P>> objective_;
  double factor_;
};

}  // namespace roadplane
