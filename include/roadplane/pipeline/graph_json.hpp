#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "roadplane/network/graph.hpp"

namespace roadplane {

/// A graph from {"agents": 4, "edges": [[0, 1], [1, 2], [2, 3]]}. Throws InputError that names the
/// source and what is wrong with it.
Graph parse_graph_json(std::string_view text, const std::string& source);
Graph read_graph_json(const std::filesystem::path& path);

}  // namespace roadplane
