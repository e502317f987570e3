#include "kernels/robust_kernels.hpp"

namespace roadplane {

const RobustKernels& robust_kernels(Isa isa, RobustLoss loss) {
  const bool welsch = loss == RobustLoss::welsch;
#if defined(__x86_64__)
  if (isa == Isa::avx512) {
    return welsch ? kernels_avx512::kWelsch : kernels_avx512::kGemanMcClure;
  }
  if (isa == Isa::avx2) return welsch ? kernels_avx2::kWelsch : kernels_avx2::kGemanMcClure;
#endif
  static_cast<void>(isa);
  return welsch ? kernels_plain::kWelsch : kernels_plain::kGemanMcClure;
}

}  // namespace roadplane
