#pragma once

#include <cstddef>
#include <cstdint>

#include "roadplane/kernels/isa.hpp"
#include "roadplane/kernels/robust_loss.hpp"
#include "roadplane/kernels/thinned_blocks.hpp"

namespace roadplane {

/// What the loops of the robust objective need of the loss, in single precision.
struct KernelLoss {
  float inside;  ///< squared scales, see SquaredScales
  float beyond;
};

/// How columns speak for a plane by their distance from it, in metres.
struct SupportRule {
  KernelLoss loss;  ///< squared scales in m^2
  float margin_m;   ///< a column further than that beyond the plane,
  float blame;      ///< takes away so much
};

/// The loops of the robust objective in single precision (sums in double), one set per instruction
/// set and loss. u is the hyperplane in the columns' own coordinates: y = u'b.
struct RobustKernels {
  /// sum phi'(u'b) b.
  void (*slope_sum)(const ThinnedBlocks& columns, const double* u, const KernelLoss& loss,
                    double* sum);
  /// The same over the columns that `batch` names (`count` of them, possibly repeated), at u and v.
  void (*batch_slope_sums)(const float* blocks, const std::uint32_t* batch, std::size_t count,
                           const double* u, const double* v, const KernelLoss& loss, double* sum_u,
                           double* sum_v);
  /// The lower triangle, row by row, of sum weight(u'b) b b'.
  void (*weighted_moment)(const ThinnedBlocks& columns, const double* u, const KernelLoss& loss,
                          double* sums);
  /// For each of `count` planes (four numbers each, the normal of length 1) how much the columns
  /// speak for it: sum of the weight at w'b / b_4, the distance in metres, less the blame; then, as
  /// entry `count`, the number of columns.
  void (*support)(const ThinnedBlocks& columns, const double* planes, std::size_t count,
                  const SupportRule& rule, double* support);
  /// For each of `count` unit hyperplanes (four numbers each) how much the columns speak for it,
  /// near ones counting more: sum of b_4 times the weight, less `blame` (1 - weight) for a column
  /// beyond the plane; then, as entry `count`, sum b_4.
  void (*near_support)(const ThinnedBlocks& columns, const double* planes, std::size_t count,
                       const KernelLoss& loss, float blame, double* support);
  /// How much the columns speak for one unit hyperplane, and how many are further than `margin`
  /// beyond it, near ones counting more: sum of b_4 times the weight; sum of b_4 where y < -margin.
  void (*support_and_beyond)(const ThinnedBlocks& columns, const double* plane,
                             const KernelLoss& loss, float margin, double* sums);
};

const RobustKernels& robust_kernels(Isa isa, RobustLoss loss);

}  // namespace roadplane
