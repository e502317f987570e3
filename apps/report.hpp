#pragma once

#include <filesystem>

namespace roadplane::app {

/// Writes the report of a run, as report.html into its folder if `out` is empty. Returns the file.
std::filesystem::path write_report(const std::filesystem::path& run,
                                   const std::filesystem::path& out = {});

}  // namespace roadplane::app
