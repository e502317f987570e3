#include "roadplane/solver/registry.hpp"

#include <string>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane {

std::span<const std::string_view> solver_names() { return Registry<AnySolverOptions>::kNames; }

std::optional<AnySolverOptions> solver_by_name(std::string_view name) {
  return Registry<AnySolverOptions>::by_name(name);
}

AnySolverOptions checked_solver(std::string_view name) {
  if (auto options = solver_by_name(name)) return *options;
  std::string expected = alternatives(solver_names());
#ifdef ROADPLANE_WITHOUT_RESEARCH
  expected += " (built with ROADPLANE_RESEARCH=OFF, without its rivals)";
#endif
  throw FieldError("solver", expected, in_quotes(name));
}

template SolveResult<4, 1> solve_with(const AnySolverOptions&, Channel&, Objectives<4, 1>,
                                      const std::vector<Eigen::Vector4d>&, Ledger&,
                                      std::span<const Eigen::Vector4d>);

}  // namespace roadplane
