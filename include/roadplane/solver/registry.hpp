#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "roadplane/solver/vrsgt.hpp"
#ifndef ROADPLANE_WITHOUT_RESEARCH
#include "roadplane/solver/rivals/list.hpp"
#endif

namespace roadplane {

/// Every solver there is, chosen by the options that it takes; those name their solver. All the
/// rest follows from this list. A build without research (ROADPLANE_RESEARCH=OFF) has VRSGT alone.
#ifdef ROADPLANE_WITHOUT_RESEARCH
using AnySolverOptions = std::variant<VrsgtOptions>;
#else
using AnySolverOptions = VrsgtAndRivals;
#endif

/// vrsgt, destiny, drsgd, ...
std::span<const std::string_view> solver_names();

/// A solver's default options; none for an unknown name.
std::optional<AnySolverOptions> solver_by_name(std::string_view name);
/// The same, but throws FieldError naming `solver`.
AnySolverOptions checked_solver(std::string_view name);

// The same for any variant of options.

template <class AnyOptions>
struct Registry;

template <class... Options>
struct Registry<std::variant<Options...>> {
  using AnyOptions = std::variant<Options...>;

  static constexpr std::array<std::string_view, sizeof...(Options)> kNames{Options::kName...};

  static std::optional<AnyOptions> by_name(std::string_view name) {
    std::optional<AnyOptions> found;
    ((name == Options::kName ? void(found = Options{}) : void()), ...);
    return found;
  }
};

/// Runs the solver that the options are of; `x_init` is where each hosted agent starts, `kept` what
/// an earlier result of nearly the same functions kept, if anything. What it spends, it adds to the
/// ledger.
template <class AnyOptions, int N, int P>
SolveResult<N, P> solve_with(const AnyOptions& chosen, Channel& channel,
                             std::type_identity_t<Objectives<N, P>> objectives,
                             const std::vector<Eigen::Matrix<double, N, P>>& x_init, Ledger& ledger,
                             std::span<const Eigen::Matrix<double, N, P>> kept = {}) {
  return std::visit(
      [&]<class Options>(const Options& options) {
        typename Options::template Method<N, P> method(channel, objectives, x_init, options);
        method.go_on_with(kept);
        return run(method, options, ledger);
      },
      chosen);
}

extern template SolveResult<4, 1> solve_with(const AnySolverOptions&, Channel&, Objectives<4, 1>,
                                             const std::vector<Eigen::Vector4d>&, Ledger&,
                                             std::span<const Eigen::Vector4d>);

}  // namespace roadplane
