#pragma once

#include <cstdint>
#include <string>

#include "roadplane/network/network.hpp"

namespace roadplane {

/// A graph by its name as a configuration has it: path, ring, star, complete, grid,
/// erdos-renyi:PROBABILITY, or a JSON file with an edge list. Throws FieldError naming
/// `topology`.
Graph make_graph(const std::string& topology, int agents, std::uint64_t seed);

/// The same with weights and faults, by their names, too. Throws FieldError naming `topology`,
/// `mixing` or `links`.
Network make_network(const std::string& topology, int agents, const std::string& mixing,
                     const std::string& links, std::uint64_t seed);

}  // namespace roadplane
