#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "roadplane/results/frame_record.hpp"
#include "roadplane/solver/result.hpp"

namespace roadplane {

/// A trace, one line an entry: iteration, StaGap and parts, objective, rounds, ...
std::string trace_csv(const std::vector<TraceEntry>& trace, const Graph& graph);

/// Medians over the frames and counts by status; what a summary begins with.
nlohmann::json aggregate(std::span<const FrameRecord> records);

/// Objects as CSV, one line each; nested keys become "ms.solve", what an object lacks stays empty.
std::string csv_of(std::span<const nlohmann::json> objects);

/// All records as tables: every key as CSV, the important ones as Markdown and LaTeX (booktabs).
std::string records_csv(std::span<const FrameRecord> records);
std::string records_markdown(std::span<const FrameRecord> records);
std::string records_latex(std::span<const FrameRecord> records);
/// The important columns as aligned plain text, for a terminal; at most `most` frames.
std::string records_text(std::span<const FrameRecord> records, std::size_t most);

}  // namespace roadplane
