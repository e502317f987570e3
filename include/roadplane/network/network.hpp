#pragma once

#include "roadplane/network/graph.hpp"
#include "roadplane/network/mixing_matrix.hpp"

namespace roadplane {

/// A graph with its mixing weights, and what every agent is told about it beforehand.
struct Network {
  Graph graph;
  MixingMatrix mixing;
  double slem = 0;   ///< second largest eigenvalue modulus of the mixing matrix
  int diameter = 0;  ///< links between the two agents that are farthest apart

  explicit Network(Graph g, MixingKind kind = MixingKind::metropolis)
      : Network(g, MixingMatrix(g, kind)) {}
  Network(Graph g, MixingMatrix weights)
      : graph(std::move(g)),
        mixing(std::move(weights)),
        slem(mixing.slem()),
        diameter(graph.diameter()) {}

  int agents() const { return graph.size(); }
};

}  // namespace roadplane
