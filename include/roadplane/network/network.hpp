#pragma once

#include <optional>

#include "roadplane/network/graph.hpp"
#include "roadplane/network/link_faults.hpp"
#include "roadplane/network/mixing_matrix.hpp"
#include "roadplane/network/wire.hpp"

namespace roadplane {

/// A graph with its mixing weights, and what every agent is told about it beforehand.
struct Network {
  Graph graph;
  MixingMatrix mixing;
  LinkFaults faults;              ///< none unless asked for
  std::optional<Wire> wire = {};  ///< of all messages, in place of what each of them would take
  double slem = 0;                ///< second largest eigenvalue modulus of the mixing matrix
  double round_factor =
      0;             ///< by which a round shrinks disagreement: the SLEM, or more with faults
  int diameter = 0;  ///< links between the two agents that are farthest apart, whoever has left

  explicit Network(Graph g, MixingKind kind = MixingKind::metropolis, const LinkFaults& f = {});
  /// Throws InputError where an agent leaves that the others cannot do without.
  Network(Graph g, MixingMatrix weights, const LinkFaults& f = {});

  int agents() const { return graph.size(); }
  /// Whether every round mixes with the same weights.
  bool steady() const { return !faults.drops(); }
  /// Rounds in which a message passed on by everybody reaches everybody, whatever links fail: of a
  /// window of rounds every link works in at least one.
  int flood_rounds() const { return diameter * faults.window(); }
};

}  // namespace roadplane
