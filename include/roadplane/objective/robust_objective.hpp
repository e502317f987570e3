#pragma once

#include <Eigen/Core>

#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/objective/objective.hpp"
#include "roadplane/objective/window.hpp"

namespace roadplane {

/// One agent's part of the robust objective: the mean loss of w'b over the points of all agents,
/// where w = M x / ||M x||. It depends on the direction of M x only: whatever coordinates M a solve
/// takes, it has the same minimisers.
class RobustObjective final : public Objective<4, 1> {
 public:
  struct Scale {
    double points = 1;  ///< of an average agent: mean over agents = mean over points
    double gain = 1;    ///< factor of the objective
  };

  /// The cloud must outlive the objective.
  RobustObjective(const HomogeneousCloud& cloud, const Eigen::Matrix4d& map, const Window& window,
                  const Scale& scale)
      : cloud_(&cloud), map_(map), window_(window), scale_(scale) {}

  int n() const override { return 4; }
  std::uint32_t samples() const override { return static_cast<std::uint32_t>(cloud_->size()); }

  double value(const Matrix& x) const override;
  void gradient(const Matrix& x, Matrix& result) const override;
  void batch_gradient(const Matrix& x, Batch batch, Matrix& result) const override;
  void batch_gradients(const Matrix& x, const Matrix& previous, Batch batch, Matrix& at_x,
                       Matrix& at_previous) const override;
  void prefetch(Batch batch) const override;
  bool weighted_moment(const Matrix& x, Eigen::MatrixXd& result) const override;
  bool bowl(const Matrix& x, Bowl& result) const override;
  /// The hyperplane itself.
  Matrix to_common(const Matrix& x) const override { return (map_ * x).normalized(); }
  std::unique_ptr<Objective> in_common() const override {
    return std::make_unique<RobustObjective>(*cloud_, Eigen::Matrix4d::Identity(), window_,
                                             Scale{.points = scale_.points});
  }

 private:
  /// The gradient in x from that in w.
  Matrix chained(const Eigen::Vector4d& u, const Eigen::Vector4d& slope, double factor) const;

  /// The second derivative in x from that in w.
  Eigen::Matrix4d chained_twice(const Eigen::Vector4d& u, const Eigen::Matrix4d& moment,
                                const Eigen::Matrix4d& second) const;

  CloudSums sums() const { return CloudSums(*cloud_); }

  const HomogeneousCloud* cloud_;
  Eigen::Matrix4d map_;
  Window window_;
  Scale scale_;
};

}  // namespace roadplane
