#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "roadplane/results/frame_record.hpp"
#include "roadplane/results/text_layout.hpp"
#include "roadplane/solver/result.hpp"

namespace roadplane {

/// A trace, one line an entry: iteration, StaGap and parts, objective, rounds, ... The entries'
/// errors, where they are known, make the last column.
std::string trace_csv(std::span<const TraceEntry> trace, const Graph& graph,
                      const std::string& error_name, std::span<const double> errors);

/// Medians over the frames and counts by status; what a summary begins with.
nlohmann::json aggregate(std::span<const FrameRecord> records);

/// CSV without line ends: the keys of all recorded metrics, and a record's values. The columns are
/// the same for every record; what a frame has not stays empty.
std::string csv_header();
std::string csv_line(const FrameRecord& record);
/// Quoted for CSV, in one line; what a spreadsheet would take for a formula begins with '.
std::string csv_text(const std::string& text);

/// All records as tables: every metric as CSV, the important ones as Markdown and LaTeX (booktabs).
std::string records_csv(std::span<const FrameRecord> records);
std::string records_markdown(std::span<const FrameRecord> records);
std::string records_latex(std::span<const FrameRecord> records);

/// The text in the colour of a status.
std::string coloured(FrameStatus status, const std::string& text, const TextLayout& layout);

/// Status, share of road, height and tilt as aligned text for a terminal, and the errors if a frame
/// has a truth; intervals, counts and notes where the lines are wide enough. At most `most` frames.
std::string records_text(std::span<const FrameRecord> records, std::size_t most,
                         const TextLayout& layout = {});

/// One line: how many frames there are of each status, and the median error and F1 of those that
/// are scored: "5 frames: 4 ok, 1 suspect; median error 2.2e-03, F1 0.971".
std::string records_line(std::span<const FrameRecord> records, const TextLayout& layout = {});

}  // namespace roadplane
