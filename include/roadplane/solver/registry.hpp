#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "roadplane/solver/destiny.hpp"
#include "roadplane/solver/dprgt.hpp"
#include "roadplane/solver/dprsrm.hpp"
#include "roadplane/solver/drgta.hpp"
#include "roadplane/solver/drsgd.hpp"
#include "roadplane/solver/rextra.hpp"
#include "roadplane/solver/vrsgt.hpp"

namespace roadplane {

/// A solver is chosen by the options that it takes.
using AnySolverOptions = std::variant<VrsgtOptions, DestinyOptions, DrsgdOptions, DrgtaOptions,
                                      DprgtOptions, RextraOptions, DprsrmOptions>;

/// vrsgt, destiny, drsgd, ...
std::span<const std::string_view> solver_names();

/// A solver's default options; none for an unknown name.
std::optional<AnySolverOptions> solver_by_name(std::string_view name);

}  // namespace roadplane
