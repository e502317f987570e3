#include "tables.hpp"

namespace roadplane {
namespace {

/// All loops as they are built for one instruction set.
struct Kernels {
  const CloudKernels& cloud;
  const RobustKernels* robust;  ///< by loss
  InspectionKernel inspection;
  const FloorKernels& floor;
  const CellKernels& cells;
  const MixKernels& mix;
  BandKernel band;
};

/// The one place that chooses: every loop is taken from here.
Kernels kernels_for(Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::avx512) {
    return {kernels_avx512::kCloudKernels, kernels_avx512::kRobustKernelTable,
            kernels_avx512::kInspection,   kernels_avx512::kFloorKernels,
            kernels_avx512::kCellKernels,  kernels_avx512::kMixKernels,
            kernels_avx512::kBandKernel};
  }
  if (isa == Isa::avx2) {
    return {kernels_avx2::kCloudKernels, kernels_avx2::kRobustKernelTable,
            kernels_avx2::kInspection,   kernels_avx2::kFloorKernels,
            kernels_avx2::kCellKernels,  kernels_avx2::kMixKernels,
            kernels_avx2::kBandKernel};
  }
#endif
  static_cast<void>(isa);
  return {kernels_plain::kCloudKernels, kernels_plain::kRobustKernelTable,
          kernels_plain::kInspection,   kernels_plain::kFloorKernels,
          kernels_plain::kCellKernels,  kernels_plain::kMixKernels,
          kernels_plain::kBandKernel};
}

}  // namespace

const CloudKernels& cloud_kernels(Isa isa) { return kernels_for(isa).cloud; }

const RobustKernels& robust_kernels(Isa isa, RobustLoss loss) {
  return kernels_for(isa).robust[loss.index()];
}

InspectionKernel inspection_kernel(Isa isa) { return kernels_for(isa).inspection; }

const FloorKernels& floor_kernels(Isa isa) { return kernels_for(isa).floor; }

const CellKernels& cell_kernels(Isa isa) { return kernels_for(isa).cells; }

BandKernel band_kernel(Isa isa) { return kernels_for(isa).band; }

const MixKernels& mix_kernels(Isa isa) { return kernels_for(isa).mix; }

}  // namespace roadplane
