#include "roadplane/pipeline/graph_json.hpp"

#include <nlohmann/json.hpp>
#include <vector>

#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"

namespace roadplane {
namespace {

using nlohmann::json;

constexpr int kMostAgents = 100'000;
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

Graph::Edge edge_of(const json& entry, std::int64_t agents, const std::string& source) {
  const bool pair = entry.is_array() && entry.size() == 2 && entry[0].is_number_integer() &&
                    entry[1].is_number_integer();
  if (!pair) throw InputError(source, "edges as pairs of agent numbers", entry.dump());
  for (const json& agent : entry) {  // before narrowing
    if (agent < 0 || agent >= agents) {
      throw InputError(source, "agents 0 to " + std::to_string(agents - 1), "edge " + entry.dump());
    }
  }
  return {entry[0].get<int>(), entry[1].get<int>()};
}

}  // namespace

Graph parse_graph_json(std::string_view text, const std::string& source) {
  const json document = json::parse(text, nullptr, /*allow_exceptions=*/false);
  const char* expected = R"({"agents": N, "edges": [[0, 1], ...]})";
  if (document.is_discarded()) throw InputError(source, expected, "text that is not JSON");
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
  try {
    return {static_cast<int>(agents), edges};
  } catch (const InputError& error) {
    throw InputError(source, error);
  }
}

Graph read_graph_json(const std::filesystem::path& path) {
  return parse_graph_json(read_text_file(path, kMostBytes), path.string());
}

}  // namespace roadplane
