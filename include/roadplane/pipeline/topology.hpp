#pragma once

#include <cstdint>
#include <string>

#include "roadplane/network/network.hpp"

namespace roadplane {

/// A graph by its name as a configuration has it: path, ring, star, complete, grid,
/// erdos-renyi:PROBABILITY, or a JSON file with an edge list. Throws FieldError naming
/// `topology`.
Graph make_graph(const std::string& topology, int agents, std::uint64_t seed);

/// The same with weights, faults and what numbers take on a link, by their names, too; `wire` may
/// be "auto". Throws FieldError naming `topology`, `mixing`, `links` or `wire`.
Network make_network(const std::string& topology, int agents, const std::string& mixing,
                     const std::string& links, const std::string& wire, std::uint64_t seed);

}  // namespace roadplane
