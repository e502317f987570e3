#include "roadplane/network/network.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "roadplane/base/field_error.hpp"

namespace roadplane {
namespace {

/// The others' graph, their numbers moved up by one from the leaver's on.
Graph graph_without(const Graph& graph, int leaver) {
  std::vector<Graph::Edge> edges;
  for (int i = 0; i < graph.size(); ++i) {
    for (const int j : graph.neighbours(i)) {
      if (i < j && i != leaver && j != leaver)
        edges.emplace_back(i - (i > leaver), j - (j > leaver));
    }
  }
  try {
    return {graph.size() - 1, edges};
  } catch (const InputError&) {
    throw FieldError("leave", "an agent without which the others stay connected",
                     "agent " + std::to_string(leaver));
  }
}

/// What a lost link weighs goes to the agent's own weight.
MixingMatrix mixing_without(const Graph& rest, const MixingMatrix& mixing, int leaver) {
  Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(rest.size(), rest.size());
  for (int i = 0; i < mixing.size(); ++i) {
    if (i == leaver) continue;
    const int row = i - (i > leaver);
    for (const auto& [j, value] : mixing.row(i)) {
      weights(row, j == leaver ? row : j - (j > leaver)) += value;
    }
  }
  return {rest, weights};
}

}  // namespace

Network::Network(Graph g, MixingKind kind, const LinkFaults& f)
    : Network(g, MixingMatrix(g, kind), f) {}

Network::Network(Graph g, MixingMatrix weights, const LinkFaults& f)
    : graph(std::move(g)),
      mixing(std::move(weights)),
      faults(f),
      slem(mixing.slem()),
      diameter(graph.diameter()) {
  faults.validate();
  double slowest = slem;
  if (faults.leaves()) {
    require(faults.leaver < agents(), "leave", "an agent from 1 to " + std::to_string(agents() - 1),
            faults.leaver);
    const Graph rest = graph_without(graph, faults.leaver);
    diameter = std::max(diameter, rest.diameter());
    slowest = std::max(slowest, mixing_without(rest, mixing, faults.leaver).slem());
  }
  round_factor = faults.contraction(slowest, mixing.largest_link_weight());
}

}  // namespace roadplane
