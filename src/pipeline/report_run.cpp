#include "report_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <tuple>

#include "roadplane/input_error.hpp"
#include "roadplane/io/file.hpp"
#include "roadplane/pipeline/run_folder.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using viz::Report;

constexpr std::size_t kMostCurveBytes = std::size_t{64} << 20;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// A CSV file of numbers with a header line, as columns.
Report::Curve read_curve(const fs::path& file) {
  std::istringstream lines(read_text_file(file, kMostCurveBytes));
  std::string line;
  std::getline(lines, line);
  std::vector<std::string> names;
  std::istringstream header(line);
  for (std::string name; std::getline(header, name, ',');) {
    std::replace(name.begin(), name.end(), '_', ' ');
    names.push_back(name);
  }
  Report::Curve curve;
  for (std::size_t number = 2; std::getline(lines, line); ++number) {
    std::istringstream cells(line);
    for (const std::string& name : names) {
      std::string cell;
      std::getline(cells, cell, ',');
      char* end = nullptr;
      const double value = std::strtod(cell.c_str(), &end);
      if (cell.empty() || *end != '\0') {
        throw InputError(fmt::format("{}: line {}", file.string(), number), "a number as " + name,
                         "\"" + cell + "\"");
      }
      curve.columns[name].push_back(value);
    }
  }
  for (const char* cost : {"messages", "bytes per agent"}) curve.columns.erase(cost);
  return curve;
}

}  // namespace

ReportRun read_run(const fs::path& folder) {
  const RunFolder opened = RunFolder::open(folder);
  ReportRun run{folder, opened.config(), opened.command(), "", true, {}};
  const json& config = run.config;
  run.subtitle =
      fmt::format("{}, {} objective, {} agents, {} network: {}", config.value("solver", "?"),
                  config.value("objective", "?"), config.value("agents", 0),
                  config.value("topology", "?"), config.value("path", "?"));
  run.finished = is_there(folder / "summary.json");
  for (const FrameRecord& record : opened.done()) run.records.push_back({"", record});
  // They come in the order in which they were finished.
  std::sort(run.records.begin(), run.records.end(), [](const auto& a, const auto& b) {
    return std::tie(a.record.sequence, a.record.frame, a.record.name) <
           std::tie(b.record.sequence, b.record.frame, b.record.name);
  });
  return run;
}

std::vector<Report::Curve> read_curves(const ReportRun& run, const std::string& frame) {
  const fs::path file = run.folder / "trace" / (frame + ".csv");
  if (!is_there(file)) return {};
  return {read_curve(file)};
}

}  // namespace roadplane
