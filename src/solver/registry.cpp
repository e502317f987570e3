#include "roadplane/solver/registry.hpp"

namespace roadplane {

std::span<const std::string_view> solver_names() { return Registry<AnySolverOptions>::kNames; }

std::optional<AnySolverOptions> solver_by_name(std::string_view name) {
  return Registry<AnySolverOptions>::by_name(name);
}

template SolveResult<4, 1> solve_with(const AnySolverOptions&, Channel&, Objectives<4, 1>,
                                      const std::vector<Eigen::Vector4d>&, Ledger&,
                                      std::span<const Eigen::Vector4d>);

}  // namespace roadplane
