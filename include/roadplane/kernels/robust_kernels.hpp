#pragma once

#include <cstddef>
#include <cstdint>

#include "roadplane/kernels/isa.hpp"
#include "roadplane/kernels/robust_loss.hpp"
#include "roadplane/kernels/thinned_groups.hpp"

namespace roadplane {

/// Which columns count, and how much (see Window), as the loops need it.
struct KernelWindow {
  struct Side {
    float rad;  ///< the scale of y is this
    float m;    ///< and so much more by b_4, the inverse range
  };
  Side above;  ///< on the sensor's side
  Side below;  ///< and beyond
  float near;  ///< columns count at most their squared range times this; 0 is off
};

/// The loops of the robust objective in single precision (sums in double), one set per instruction
/// set and loss. u is the hyperplane in the columns' own coordinates: y = u'b.
struct RobustKernels {
  /// sum phi'(u'b) b.
  void (*slope_sum)(const ThinnedGroups& columns, const double* u, const KernelWindow& window,
                    double* sum);
  /// The same over the columns that `batch` names (`count` of them, possibly repeated), at u and v.
  void (*batch_slope_sums)(const float* groups, const std::uint32_t* batch, std::size_t count,
                           const double* u, const double* v, const KernelWindow& window,
                           double* sum_u, double* sum_v);
  /// The lower triangle, row by row, of sum weight(u'b) b b'.
  void (*weighted_moment)(const ThinnedGroups& columns, const double* u, const KernelWindow& window,
                          double* sums);
  /// The same, then that of sum phi''(u'b) b b'.
  void (*moment_and_curvature)(const ThinnedGroups& columns, const double* u,
                               const KernelWindow& window, double* sums);
};

const RobustKernels& robust_kernels(Isa isa, RobustLoss loss);

}  // namespace roadplane
