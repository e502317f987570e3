#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "roadplane/compare/compare_frames.hpp"
#include "roadplane/results/grouped_table.hpp"

namespace roadplane {

/// What the numbers rest on: network, shards, budget, steps, truth. One sentence each.
std::vector<std::string> protocol_of(const Comparison& comparison);

/// What the numbers say: every solver next to VRSGT on the same objective, frame by frame and seed
/// by seed. One sentence each.
std::vector<std::string> findings_of(const Comparison& comparison);

/// Recovery errors, data set and frame on top, one row a method: mean over the seeds, and their
/// deviation if there are several.
GroupedTable error_table(const Comparison& comparison);

/// The worst agent's distance from the minimiser, in the same layout; of the solvers.
GroupedTable distance_table(const Comparison& comparison);

/// For a terminal of 80 columns: a line per method with the medians over all runs, then every
/// frame.
std::string comparison_text(const Comparison& comparison);
/// The errors, the medians with their ranges, every frame's numbers, then protocol and findings.
std::string comparison_markdown(const Comparison& comparison);
/// The errors, then protocol and findings as notes below.
std::string comparison_latex(const Comparison& comparison);
/// Every run, one line each, with all that is recorded of it.
std::string comparison_csv(const Comparison& comparison);
/// All of it, for a report or another program.
nlohmann::json comparison_json(const Comparison& comparison);

}  // namespace roadplane
