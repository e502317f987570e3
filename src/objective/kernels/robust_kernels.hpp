#pragma once

#include <cstddef>
#include <cstdint>

#include "roadplane/geometry/isa.hpp"
#include "roadplane/objective/robust_loss.hpp"

namespace roadplane {

/// Every `stride`-th group of 16 columns of a cloud, the first group included.
struct ThinnedBlocks {
  const float* blocks;
  std::size_t groups;  ///< in the whole cloud
  std::size_t stride;
};

/// What the loops of the robust objective need of the loss, in single precision.
struct KernelLoss {
  float inside;  ///< squared scales, see SquaredScales
  float beyond;
};

/// The loops of the robust objective in single precision (sums in double), one set per instruction
/// set. u is the hyperplane in the columns' own coordinates: y = u'b.
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
  /// For each of `count` unit hyperplanes (four numbers each) how much the columns speak for it,
  /// near ones counting more: sum of b_4 times the weight, less `blame` (1 - weight) for a column
  /// beyond the plane; then, as entry `count`, sum b_4.
  void (*near_support)(const ThinnedBlocks& columns, const double* planes, std::size_t count,
                       const KernelLoss& loss, float blame, double* support);
};

namespace kernels_plain {
extern const RobustKernels kGemanMcClure;
extern const RobustKernels kWelsch;
}  // namespace kernels_plain
namespace kernels_avx2 {
extern const RobustKernels kGemanMcClure;
extern const RobustKernels kWelsch;
}  // namespace kernels_avx2
namespace kernels_avx512 {
extern const RobustKernels kGemanMcClure;
extern const RobustKernels kWelsch;
}  // namespace kernels_avx512

const RobustKernels& robust_kernels(Isa isa, RobustLoss loss);

}  // namespace roadplane
