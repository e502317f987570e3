#include "roadplane/kernels/cloud_kernels.hpp"
#include "roadplane/kernels/robust_kernels.hpp"

namespace roadplane {
namespace {

/// All loops as they are built for one instruction set.
struct Kernels {
  const CloudKernels& cloud;
  const RobustKernels& geman_mcclure;
  const RobustKernels& welsch;
};

/// The one place that chooses: every loop is taken from here.
const Kernels& kernels_for(Isa isa) {
#if defined(__x86_64__)
  static const Kernels avx512{kernels_avx512::kCloudKernels, kernels_avx512::kGemanMcClure,
                              kernels_avx512::kWelsch};
  static const Kernels avx2{kernels_avx2::kCloudKernels, kernels_avx2::kGemanMcClure,
                            kernels_avx2::kWelsch};
  if (isa == Isa::avx512) return avx512;
  if (isa == Isa::avx2) return avx2;
#endif
  static const Kernels plain{kernels_plain::kCloudKernels, kernels_plain::kGemanMcClure,
                             kernels_plain::kWelsch};
  static_cast<void>(isa);
  return plain;
}

}  // namespace

const CloudKernels& cloud_kernels(Isa isa) { return kernels_for(isa).cloud; }

const RobustKernels& robust_kernels(Isa isa, RobustLoss loss) {
  const Kernels& kernels = kernels_for(isa);
  return loss == RobustLoss::welsch ? kernels.welsch : kernels.geman_mcclure;
}

}  // namespace roadplane
