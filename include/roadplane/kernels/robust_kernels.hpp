#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "roadplane/kernels/isa.hpp"
#include "roadplane/kernels/robust_loss.hpp"

namespace roadplane {

/// One group of 16 columns out of every `stride` of a cloud. Which one changes from stride to
/// stride and from agent to agent: a thinned scan must not fall into step with the sensor's rounds,
/// nor all agents look at the same places where their shards interleave.
struct ThinnedBlocks {
  const float* blocks;
  std::size_t groups;  ///< in the whole cloud
  std::size_t stride;
  std::uint32_t offset;

  ThinnedBlocks(const float* cloud, std::size_t cloud_groups, std::size_t wanted_stride,
                std::uint32_t agent)
      : blocks(cloud),
        groups(cloud_groups),
        stride(std::clamp<std::size_t>(wanted_stride, 1, std::max<std::size_t>(1, groups))),
        offset(agent * 2447445413U) {}

  std::size_t count() const {
    const std::size_t strides = (groups + stride - 1) / stride;
    return strides > 0 && group(strides - 1) >= groups ? strides - 1 : strides;
  }
  /// Of the k-th stride, spread evenly (the R2 sequence of Roberts, 2018).
  std::size_t group(std::size_t k) const {
    const std::uint32_t fraction = static_cast<std::uint32_t>(k) * 3242174889U + offset;
    return k * stride + static_cast<std::size_t>((std::uint64_t{fraction} * stride) >> 32);
  }
  const float* columns(std::size_t k) const { return blocks + group(k) * 64; }
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
  /// How much the columns speak for one unit hyperplane, and how many are further than `margin`
  /// beyond it, near ones counting more: sum of b_4 times the weight; sum of b_4 where y < -margin.
  void (*support_and_beyond)(const ThinnedBlocks& columns, const double* plane,
                             const KernelLoss& loss, float margin, double* sums);
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
