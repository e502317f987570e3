#pragma once

#include "hypotheses.hpp"
#include "reweighing.hpp"
#include "roadplane/dpcp/robust_options.hpp"

namespace roadplane {

/// The plane that most points lie on, roughly, from the best hypotheses.
AgentPlanes settle_dominant(Channel& channel, const Reweighing& reweighing,
                            const Hypotheses& hypotheses, const RobustOptions& options);

}  // namespace roadplane
