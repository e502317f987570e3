#pragma once

#include <Eigen/Core>

#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/kernels/isa.hpp"
#include "roadplane/kernels/robust_loss.hpp"
#include "roadplane/objective/objective.hpp"

namespace roadplane {

/// Graduated non-convexity (Blake & Zisserman, 1987): how the loss sharpens from one outer
/// iteration to the next.
struct Graduation {
  RobustLoss loss{};
  double first_rad = 0.1;    ///< [rad] scale of the first stage, as an angle: of |w'b|
  double last_rad = 0.0055;  ///< [rad] and of the last ones
  int sharpenings = 5;       ///< stages until the last scale is reached
  double beyond = 3;       ///< scale beyond the plane / scale on the sensor's side, before the last
  double last_beyond = 1;  ///< the same at the last scale
  int thinning = 8;        ///< of the first stage: every so many-th point; halved stage by stage
  int first_stage = 0;     ///< stages already done, before outer iteration 1
  int iterations = 1;      ///< outer iterations per stage

  double scale_rad(int outer_iteration) const;
  double beyond_factor(int outer_iteration) const;
  int thinning_at(int outer_iteration) const;

 private:
  int stage(int outer_iteration) const;
};

/// One agent's share of the robust objective: 1/l sum_j phi(x'M b_j) over its columns, seen through
/// the whitening M, in coordinates where the whole network's second moment is the identity. The
/// scale is an angle; the agent translates it at its own iterate: y = x'M b = ||M x|| w'b.
///
/// Evaluated in single precision with vectors; sums and everything that travels are double.
struct ThinnedBlocks;

class RobustObjective final : public Objective<4, 1> {
 public:
  /// `share`: this agent's number of points over the mean of all agents', so that the mean over
  /// agents is the mean over points. `agent`: its number; agents look at different places where a
  /// full gradient is thinned. The cloud must outlive the objective.
  RobustObjective(const HomogeneousCloud& cloud, const Eigen::Matrix4d& map,
                  const Graduation& graduation, double share = 1, std::uint32_t agent = 0,
                  Isa isa = active_isa());

  int n() const override { return 4; }
  std::uint32_t samples() const override { return static_cast<std::uint32_t>(cloud_->size()); }

  double value(const Matrix& x) const override;
  void gradient(const Matrix& x, Matrix& result) const override;
  void batch_gradient(const Matrix& x, Batch batch, Matrix& result) const override;
  void batch_gradients(const Matrix& x, const Matrix& previous, Batch batch, Matrix& at_x,
                       Matrix& at_previous) const override;
  void prefetch(Batch batch) const override;
  void begin_outer_iteration(int k, const Matrix& x) override;
  /// Exact up to a group of 16 columns; the same for all agents.
  std::int64_t full_pass(std::int64_t samples) const override;

  const SquaredScales& squared_scales() const { return squared_; }
  /// 1/l sum_j weight(x'M b_j) b_j b_j' at the scale of the last begin_outer_iteration, times the
  /// share: what the points that count look like.
  Eigen::Matrix4d weighted_moment(const Matrix& x) const;

 private:
  ThinnedBlocks thinned() const;

  const HomogeneousCloud* cloud_;
  Eigen::Matrix4d map_;
  Graduation graduation_;
  double share_;
  std::uint32_t agent_;
  const struct RobustKernels* kernels_;
  SquaredScales squared_;
  int thinning_ = 1;
};

}  // namespace roadplane
