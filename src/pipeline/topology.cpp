#include "roadplane/pipeline/topology.hpp"

#include <charconv>
#include <string_view>

#include "roadplane/input_error.hpp"
#include "roadplane/network/graph_json.hpp"

namespace roadplane {
namespace {

constexpr std::string_view kErdosRenyi = "erdos-renyi";

double probability_of(const std::string& topology) {
  const std::string_view rest = std::string_view(topology).substr(kErdosRenyi.size());
  if (rest.empty()) return 0.5;
  double probability = 0;
  const char* end = rest.data() + rest.size();
  const auto [stop, error] = std::from_chars(rest.data() + 1, end, probability);
  if (rest[0] != ':' || error != std::errc() || stop != end) {
    throw InputError("--topology", "erdos-renyi:PROBABILITY, such as erdos-renyi:0.5",
                     "\"" + topology + "\"");
  }
  return probability;
}

Graph named_graph(const std::string& topology, int agents, std::uint64_t seed) {
  if (topology == "path") return Graph::path(agents);
  if (topology == "ring") return Graph::ring(agents);
  if (topology == "star") return Graph::star(agents);
  if (topology == "complete") return Graph::complete(agents);
  if (topology == "grid") return Graph::grid(agents);
  if (topology.starts_with(kErdosRenyi)) {
    return Graph::erdos_renyi(agents, probability_of(topology), seed);
  }
  throw InputError("--topology",
                   "erdos-renyi:PROBABILITY, ring, star, complete, grid, path or a .json file",
                   "\"" + topology + "\"");
}

}  // namespace

Graph make_graph(const std::string& topology, int agents, std::uint64_t seed) {
  if (!topology.ends_with(".json")) return named_graph(topology, agents, seed);
  Graph graph = read_graph_json(topology);
  if (graph.size() != agents) {
    throw InputError(topology, std::to_string(agents) + " agents (--agents)",
                     std::to_string(graph.size()));
  }
  return graph;
}

}  // namespace roadplane
