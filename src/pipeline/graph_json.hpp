#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "roadplane/network/graph.hpp"
#include "roadplane/network/mixing_matrix.hpp"

namespace roadplane {

/// A graph and, if the file has them, the mixing weights of its own.
struct GraphFile {
  Graph graph;
  std::optional<MixingMatrix> weights;
};

/// From {"agents": 4, "edges": [[0, 1], [1, 2], [2, 3]], "weights": [0.3, 0.3, 0.3]}, where the
/// weights, one an edge, may be left out; an agent's own weight is what its links leave of 1.
/// Throws InputError that names the source and what is wrong with it.
GraphFile parse_graph_json(std::string_view text, const std::string& source);
GraphFile read_graph_json(const std::filesystem::path& path);

}  // namespace roadplane
