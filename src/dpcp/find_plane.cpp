#include "roadplane/dpcp/find_plane.hpp"

#include <algorithm>
#include <utility>

#include "l3_solve.hpp"
#include "robust_solve.hpp"

namespace roadplane {

void PlaneOptions::validate() const {
  if (const auto* robust = std::get_if<RobustOptions>(&objective)) robust->validate();
  std::visit([](const auto& o) { o.validate(); }, solver);
}

std::size_t columns_enough(const PlaneOptions& options, int agents) {
  constexpr std::size_t kEnough = 30720;  // of all agents
  constexpr std::size_t kLeast = 64;      // of each
  if (std::holds_alternative<L3Options>(options.objective)) return HomogeneousCloud::kAll;
  return std::max(kLeast, kEnough / static_cast<std::size_t>(agents));
}

PlaneFit find_plane(Channel& channel, std::span<const HomogeneousCloud> clouds,
                    const PlaneOptions& options) {
  options.validate();
  Ledger ledger(channel);
  const auto* robust = std::get_if<RobustOptions>(&options.objective);
  PlaneFit fit = robust != nullptr ? solve_robust(channel, clouds, options.solver, *robust, ledger)
                                   : solve_l3(channel, clouds, options.solver,
                                              std::get<L3Options>(options.objective), ledger);
  return finished(std::move(fit), ledger);
}

}  // namespace roadplane
