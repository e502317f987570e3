#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "roadplane/results/frame_record.hpp"
#include "roadplane/viz/report.hpp"

namespace roadplane {

/// What one method made of one frame.
struct MethodRecord {
  std::string method;  ///< empty in a run of one method
  std::uint64_t seed = 0;
  FrameRecord record;
};

/// A run's folder as it was read, whichever command made it.
struct ReportRun {
  std::filesystem::path folder;
  nlohmann::json config;
  std::string command;   ///< how the program was called; empty if that is not known
  std::string subtitle;  ///< what was run
  bool finished = true;
  std::vector<MethodRecord> records;  ///< ordered by frame; of a method the first seed first
  std::vector<std::string> remarks;   ///< what the numbers rest on, and what they say

  /// Of a comparison: its summary, and the curves of every frame.
  nlohmann::json summary = nlohmann::json::array();
  std::map<std::string, std::vector<viz::Report::Curve>> curves;
};

/// Throws InputError if there is no run in `folder` or its files are damaged, or the JSON library's
/// exception for a value of another type.
ReportRun read_run(const std::filesystem::path& folder);

/// The convergence of every method on a frame, where the run has saved it.
std::vector<viz::Report::Curve> read_curves(const ReportRun& run, const std::string& frame);

}  // namespace roadplane
