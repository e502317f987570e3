#include <cmath>

#include "fuzz.hpp"
#include "graph_json.hpp"

// Any text of a graph: connected, and with weights that average.
void roadplane::fuzz(std::span<const std::byte> content) {
  const GraphFile file = parse_graph_json(as_text(content), "fuzz");
  require(file.graph.size() >= 1 && file.graph.diameter() < file.graph.size());
  if (!file.weights) return;
  for (int i = 0; i < file.graph.size(); ++i) {
    double sum = 0;
    for (const auto& [agent, weight] : file.weights->row(i)) {
      require(weight >= 0 && (agent == i || file.graph.linked(i, agent)));
      sum += weight;
    }
    require(std::abs(sum - 1) < 1e-9);
  }
}
