#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

#include "roadplane/report/run_report.hpp"

namespace roadplane::app {

/// --report and what belongs to it.
struct ReportWish {
  bool report = false;
  std::string frames;  ///< as typed; empty: the default

  bool wanted() const { return report || !frames.empty(); }
  /// Throws FieldError naming `report_frames`.
  ReportOptions options(int threads) const;
};

void add_report_options(CLI::App& app, ReportWish& wish);

/// Writes the report of a run, as report.html into its folder if `out` is empty. Returns the page.
std::filesystem::path write_report(const std::filesystem::path& run, const ReportOptions& options,
                                   const std::filesystem::path& out = {});

}  // namespace roadplane::app
