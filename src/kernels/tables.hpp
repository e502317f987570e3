#pragma once

#include "roadplane/kernels/band_kernel.hpp"
#include "roadplane/kernels/cell_kernels.hpp"
#include "roadplane/kernels/cloud_kernels.hpp"
#include "roadplane/kernels/floor_kernels.hpp"
#include "roadplane/kernels/inspection_kernel.hpp"
#include "roadplane/kernels/mix_kernels.hpp"
#include "roadplane/kernels/robust_kernels.hpp"

// What each instruction set brings: dispatch.cpp chooses.
namespace roadplane {
namespace kernels_plain {
extern const CloudKernels kCloudKernels;
extern const RobustKernels* const kRobustKernelTable;  ///< in the order of RobustLosses
extern const InspectionKernel kInspection;
extern const FloorKernels kFloorKernels;
extern const BandKernel kBandKernel;
extern const CellKernels kCellKernels;
extern const MixKernels kMixKernels;
}  // namespace kernels_plain
namespace kernels_avx2 {
extern const CloudKernels kCloudKernels;
extern const RobustKernels* const kRobustKernelTable;
extern const InspectionKernel kInspection;
extern const FloorKernels kFloorKernels;
extern const BandKernel kBandKernel;
extern const CellKernels kCellKernels;
extern const MixKernels kMixKernels;
}  // namespace kernels_avx2
namespace kernels_avx512 {
extern const CloudKernels kCloudKernels;
extern const RobustKernels* const kRobustKernelTable;
extern const InspectionKernel kInspection;
extern const FloorKernels kFloorKernels;
extern const BandKernel kBandKernel;
extern const CellKernels kCellKernels;
extern const MixKernels kMixKernels;
}  // namespace kernels_avx512
}  // namespace roadplane
