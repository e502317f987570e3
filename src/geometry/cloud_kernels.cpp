#include "kernels/cloud_kernels.hpp"

namespace roadplane {

const CloudKernels& cloud_kernels(Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::avx512) return kernels_avx512::kCloudKernels;
  if (isa == Isa::avx2) return kernels_avx2::kCloudKernels;
#endif
  static_cast<void>(isa);
  return kernels_plain::kCloudKernels;
}

}  // namespace roadplane
