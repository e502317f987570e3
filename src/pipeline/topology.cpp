#include "roadplane/pipeline/topology.hpp"

#include <charconv>
#include <cmath>
#include <string_view>

#include "graph_json.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/words.hpp"

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
    throw FieldError("topology", "erdos-renyi:PROBABILITY, such as erdos-renyi:0.5",
                     in_quotes(topology));
  }
  return probability;
}

/// What a solve can hold in memory.
void check_links(const std::string& topology, int agents, double share_of_pairs) {
  constexpr double kMostLinks = 5e6;
  const double links = share_of_pairs * 0.5 * agents * (agents - 1.0);
  if (links > kMostLinks) {
    throw FieldError("topology", "at most 5 million links (a sparser network)",
                     "about " + std::to_string(std::llround(links / 1e6)) + " million of " +
                         in_quotes(topology));
  }
}

Graph named_graph(const std::string& topology, int agents, std::uint64_t seed) {
  if (topology == "path") return Graph::path(agents);
  if (topology == "ring") return Graph::ring(agents);
  if (topology == "star") return Graph::star(agents);
  if (topology == "complete") {
    check_links(topology, agents, 1);
    return Graph::complete(agents);
  }
  if (topology == "grid") return Graph::grid(agents);
  if (topology.starts_with(kErdosRenyi)) {
    const double probability = probability_of(topology);
    check_links(topology, agents, probability);
    return Graph::erdos_renyi(agents, probability, seed);
  }
  throw FieldError("topology",
                   "erdos-renyi:PROBABILITY, ring, star, complete, grid, path or a .json file",
                   in_quotes(topology));
}

/// A named graph, or a file's with the weights that it may have.
GraphFile graph_with_weights(const std::string& topology, int agents, std::uint64_t seed) {
  require_range("agents", agents, 1, 10'000);
  return in_field("topology", [&] {
    if (!topology.ends_with(".json")) {
      return GraphFile{named_graph(topology, agents, seed), std::nullopt};
    }
    GraphFile file = read_graph_json(topology);
    if (file.graph.size() == agents) return file;
    throw FieldError("topology",
                     "a file with as many agents as {agents} (" + std::to_string(agents) + ")",
                     std::to_string(file.graph.size()) + " in " + topology);
  });
}

}  // namespace

Graph make_graph(const std::string& topology, int agents, std::uint64_t seed) {
  return graph_with_weights(topology, agents, seed).graph;
}

Network make_network(const std::string& topology, int agents, const std::string& mixing,
                     const std::string& links, const std::string& wire, std::uint64_t seed) {
  const GraphFile file = graph_with_weights(topology, agents, seed);
  const MixingKind kind = mixing_kind_from_string(mixing);
  const LinkFaults faults = in_field("links", [&] { return LinkFaults::parse(links, seed); });
  if (file.weights && mixing != "metropolis") {
    throw FieldError("mixing", "none where {topology} has weights of its own", in_quotes(mixing));
  }
  Network network = in_field("links", [&] {
    return file.weights ? Network(file.graph, *file.weights, faults)
                        : Network(file.graph, kind, faults);
  });
  if (wire != "auto") network.wire = besides_auto([&] { return Wire::parse(wire); });
  return network;
}

}  // namespace roadplane
