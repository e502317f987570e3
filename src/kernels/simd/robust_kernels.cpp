#include "robust_loops.hpp"
#include "robust_losses.hpp"
#include "tables.hpp"

namespace roadplane::ROADPLANE_KERNELS {
namespace {

template <class List>
struct Table;

template <class... Loss>
struct Table<LossList<Loss...>> {
  static constexpr RobustKernels kRows[] = {kRobustKernels<Loss>...};
};

}  // namespace

extern const RobustKernels* const kRobustKernelTable = Table<RobustLosses>::kRows;

}  // namespace roadplane::ROADPLANE_KERNELS
