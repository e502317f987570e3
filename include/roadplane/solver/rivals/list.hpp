#pragma once

#include <variant>

#include "roadplane/solver/rivals/destiny.hpp"
#include "roadplane/solver/rivals/dprgt.hpp"
#include "roadplane/solver/rivals/drgta.hpp"
#include "roadplane/solver/rivals/drsgd.hpp"
#include "roadplane/solver/rivals/gossip_irls.hpp"
#include "roadplane/solver/rivals/gossip_newton.hpp"
#include "roadplane/solver/rivals/rextra.hpp"
#include "roadplane/solver/vrsgt.hpp"

namespace roadplane {

/// VRSGT, which is the default, and those that it is compared with.
// clang-format off
using VrsgtAndRivals = std::variant<
    VrsgtOptions,
    DestinyOptions,
    DrsgdOptions,
    DrgtaOptions,
    DprgtOptions,
    RextraOptions,
    GossipIrlsOptions,
    GossipNewtonOptions>;
// clang-format on

}  // namespace roadplane
