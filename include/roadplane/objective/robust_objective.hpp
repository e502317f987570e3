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

  /// The cloud must outlive the objective. Of a thinned cloud the columns that are looked at are
  /// the samples, and stand for all.
  RobustObjective(const HomogeneousCloud& cloud, const Eigen::Matrix4d& map, const Window& window,
                  const Scale& scale, const Thinning& thinning = {})
      : cloud_(&cloud),
        thinning_(thinning),
        groups_(looked_at(cloud, thinning)),
        samples_(static_cast<std::uint32_t>(columns_in(groups_, cloud))),
        map_(map),
        window_(window),
        scale_(scale) {}

  int n() const override { return 4; }
  std::uint32_t samples() const override { return samples_; }

  double value(const Matrix& x) const override;
  void gradient(const Matrix& x, Matrix& result) const override;
  void batch_gradient(const Matrix& x, Batch batch, Matrix& result) const override;
  void batch_gradients(const Matrix& x, const Matrix& previous, Batch batch, Matrix& at_x,
                       Matrix& at_previous) const override;
  void prefetch(Batch batch) const override;
  bool weighted_moment(const Matrix& x, Eigen::MatrixXd& result) const override;
  /// The hyperplane itself.
  Matrix to_common(const Matrix& x) const override { return (map_ * x).normalized(); }
  std::unique_ptr<Objective> in_common() const override {
    return std::make_unique<RobustObjective>(*cloud_, Eigen::Matrix4d::Identity(), window_,
                                             Scale{.points = scale_.points}, thinning_);
  }

 private:
  /// The gradient in x from that in w.
  Matrix chained(const Eigen::Vector4d& u, const Eigen::Vector4d& slope, double factor) const;

  CloudSums sums() const { return CloudSums(*cloud_, thinning_); }
  /// The cloud's column that is the k-th of the samples.
  std::uint32_t column(std::uint32_t k) const {
    if (thinning_.stride <= 1) return k;
    constexpr std::uint32_t kGroup = HomogeneousCloud::kLanes;
    return static_cast<std::uint32_t>(groups_.group(k / kGroup)) * kGroup + k % kGroup;
  }

  const HomogeneousCloud* cloud_;
  Thinning thinning_;
  ThinnedGroups groups_;
  std::uint32_t samples_;
  Eigen::Matrix4d map_;
  Window window_;
  Scale scale_;
};

}  // namespace roadplane
