#include "graph_json.hpp"

#include <nlohmann/json.hpp>
#include <vector>

#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/json/read_json.hpp"

namespace roadplane {
namespace {

using nlohmann::json;

constexpr int kMostAgents = 10'000;
constexpr int kMostWithWeights = 2000;  // which are checked as a matrix, of 32 MB then
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

Graph::Edge edge_of(const json& entry, std::int64_t agents, const std::string& source) {
  const bool pair = entry.is_array() && entry.size() == 2 && entry[0].is_number_integer() &&
                    entry[1].is_number_integer();
  if (!pair) throw InputError(source, "edges as pairs of agent numbers", shown(entry));
  for (const json& agent : entry) {  // before narrowing
    if (agent < 0 || agent >= agents) {
      throw InputError(source, "agents 0 to " + std::to_string(agents - 1), "edge " + shown(entry));
    }
  }
  return {entry[0].get<int>(), entry[1].get<int>()};
}

/// One weight an edge.
std::vector<double> weights_of(const json& weights, std::size_t edges, const std::string& source) {
  if (!weights.is_array() || weights.size() != edges) {
    throw InputError(source, "as many weights as edges (" + std::to_string(edges) + ")",
                     weights.is_array() ? std::to_string(weights.size()) : shown(weights));
  }
  std::vector<double> values;
  for (const json& weight : weights) {
    if (!weight.is_number() || !(weight > 0)) {
      throw InputError(source, "weights as numbers above 0", shown(weight));
    }
    values.push_back(weight);
  }
  return values;
}

MixingMatrix mixing_of(const std::vector<double>& weights, const Graph& graph,
                       const std::vector<Graph::Edge>& edges) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(graph.size(), graph.size());
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const auto& [i, j] = edges[k];
    matrix(i, j) = matrix(j, i) = weights[k];
    matrix(i, i) -= weights[k];
    matrix(j, j) -= weights[k];
  }
  return {graph, matrix};
}

void refuse_unknown_keys(const json& document, const std::string& source) {
  for (const auto& [key, value] : document.items()) {
    if (key != "agents" && key != "edges" && key != "weights") {
      throw InputError(source, "the keys agents, edges and weights", in_quotes(key));
    }
  }
}

}  // namespace

GraphFile parse_graph_json(std::string_view text, const std::string& source) {
  const char* expected = R"({"agents": N, "edges": [[0, 1], ...]})";
  const json document = parse_json(text, source, expected);
  const bool complete = document.is_object() && document.contains("agents") &&
                        document["agents"].is_number_integer() && document.contains("edges") &&
                        document["edges"].is_array();
  if (!complete) throw InputError(source, expected, "JSON without these two entries");
  const auto agents = document["agents"].get<std::int64_t>();
  if (agents < 1 || agents > kMostAgents) {
    throw InputError(source, "1 to " + std::to_string(kMostAgents) + " agents",
                     std::to_string(agents));
  }
  std::vector<Graph::Edge> edges;
  for (const json& entry : document["edges"]) edges.push_back(edge_of(entry, agents, source));
  refuse_unknown_keys(document, source);
  const bool has_weights = document.contains("weights");
  std::vector<double> weights;
  if (has_weights) weights = weights_of(document["weights"], edges.size(), source);
  try {
    const Graph graph(static_cast<int>(agents), edges);
    if (!has_weights) return {graph, std::nullopt};
    if (agents > kMostWithWeights) {
      throw InputError("weights", "at most " + std::to_string(kMostWithWeights) + " agents",
                       std::to_string(agents));
    }
    return {graph, mixing_of(weights, graph, edges)};
  } catch (const InputError& error) {
    throw InputError(source, error);
  }
}

GraphFile read_graph_json(const std::filesystem::path& path) {
  return parse_graph_json(read_text_file(path, kMostBytes), path.string());
}

}  // namespace roadplane
