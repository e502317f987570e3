#pragma once

#include <span>

#include "roadplane/network/channel.hpp"
#include "roadplane/network/mixer.hpp"

namespace roadplane {

/// Rounds after which disagreement is at most `tolerance` times what it was.
int gossip_rounds(double slem, double tolerance, bool chebyshev);

/// Replaces each hosted agent's row of `width` numbers by the mean over all agents, to `tolerance`
/// relative to their disagreement, by talking to neighbours only. `how` says in which way; its
/// rounds follow from the tolerance. Where links fail, the agents go on until a flood of the
/// largest and smallest entries has told them that it is so.
void gossip_average(Channel& channel, std::span<double> hosted_rows, int width, double tolerance,
                    GossipOptions how = {.chebyshev = true});

/// What one agent says, for everybody: passed on from neighbour to neighbour. Others' numbers are
/// replaced.
void broadcast_from(Channel& channel, int agent, std::span<double> numbers);
void broadcast_from(Channel& channel, int agent, std::span<float> numbers);

}  // namespace roadplane
