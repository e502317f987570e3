#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "roadplane/solver/result.hpp"
#include "roadplane/study/context.hpp"

namespace roadplane {

/// The page of text beside an experiment's numbers. Markdown.
struct Page {
  std::string title;
  std::string setting;
  std::string paper;     ///< what the paper shows
  std::string measured;  ///< what we measured
};

/// page.md: the page and, below it, whether it agrees, claim by claim.
void write_page(const std::filesystem::path& folder, const Page& page, const Outcome& outcome);

/// NAME.json, with the outcome added.
void write_json(const std::filesystem::path& file, nlohmann::json json, const Outcome& outcome);

/// A solve to be drawn.
struct NamedTrace {
  std::string name;
  std::vector<TraceEntry> trace;
};

/// NAME.csv, NAME.png and NAME.svg: StaGap against communication rounds. Traces of the same name
/// are runs of one method: their median, with a band from 10 to 90 %.
void write_traces(const std::filesystem::path& folder, const std::string& name,
                  const std::string& title, std::span<const NamedTrace> traces);

}  // namespace roadplane
