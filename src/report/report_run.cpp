#include "report_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <tuple>

#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/json/read_json.hpp"
#include "roadplane/pipeline/jumps.hpp"
#include "roadplane/results/run_folder.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using viz::Report;

constexpr std::size_t kMostCurveBytes = std::size_t{64} << 20;
constexpr std::size_t kMostComparisonBytes = std::size_t{1} << 30;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::string with_blanks(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

/// A CSV file of numbers with a header line, as columns.
Report::Curve read_curve(const fs::path& file) {
  std::istringstream lines(read_text_file(file, kMostCurveBytes));
  std::string line;
  std::getline(lines, line);
  std::vector<std::string> names;
  std::istringstream header(line);
  for (std::string name; std::getline(header, name, ',');) names.push_back(with_blanks(name));
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
                         in_quotes(cell));
      }
      curve.columns[name].push_back(value);
    }
  }
  for (const char* cost : {"messages", "bytes per agent"}) curve.columns.erase(cost);
  return curve;
}

/// "a/b", or "a/b and 2 more"
std::string paths_text(const json& config) {
  const json path = config.value("path", json("?"));
  if (!path.is_array()) return path;
  return fmt::format("{} and {} more", path.at(0).get<std::string>(), path.size() - 1);
}

void read_segmentation(const RunFolder& opened, ReportRun& run) {
  const json& config = run.config;
  const std::string network = config.value("topology", "?");
  run.subtitle = config.contains("radio-range")
                     ? fmt::format("a fleet's {} in {}; {} network", config.value("target", "road"),
                                   paths_text(config), network)
                     : fmt::format("the {} in {}; {}, {} objective, {} agents, {} network",
                                   config.value("target", "road"), paths_text(config),
                                   config.value("solver", "?"), config.value("objective", "?"),
                                   config.value("agents", 0), network);
  run.finished = is_there(run.folder / "summary.json");
  // They come in the order in which they were finished.
  std::vector<FrameRecord> records = opened.done();
  std::sort(records.begin(), records.end(), [](const FrameRecord& a, const FrameRecord& b) {
    return std::tie(a.sequence, a.frame, a.name) < std::tie(b.sequence, b.frame, b.name);
  });
  records = with_jumps_noted(std::move(records));
  for (FrameRecord& record : records) run.records.push_back({"", 0, std::move(record)});
}

/// A method's curve in compare.json: its name and its columns, with null for what is not finite.
Report::Curve curve_from(const json& j) {
  Report::Curve curve;
  for (const auto& [key, values] : j.items()) {
    if (key == "method") {
      curve.method = values;
      continue;
    }
    std::vector<double>& column = curve.columns[with_blanks(key)];
    for (const json& value : values) {
      column.push_back(value.is_null() ? std::nan("") : value.get<double>());
    }
  }
  return curve;
}

void read_comparison(ReportRun& run) {
  const json& config = run.config;
  run.subtitle = fmt::format("comparison, {} agents, {} network: {}", config.value("agents", 0),
                             config.value("topology", "?"), paths_text(config));
  const fs::path file = run.folder / "compare.json";
  run.finished = is_there(file);
  if (!run.finished) return;
  const json all = read_json(file, kMostComparisonBytes);
  if (!all.is_object()) throw InputError(file.string(), "a comparison", "text that is not JSON");
  for (const char* key : {"findings", "protocol"}) {
    for (const json& sentence : all.at(key)) run.remarks.push_back(sentence);
  }
  run.summary = all.at("summary");
  for (const json& frame : all.at("frames")) {
    for (const json& record : frame.at("runs")) {
      run.records.push_back(
          {record.at("method"), record.at("seed"), record_from_json(record, file.string())});
    }
    for (const json& curve : frame.at("curves")) {
      run.curves[frame.at("name")].push_back(curve_from(curve));
    }
  }
}

}  // namespace

ReportRun read_run(const fs::path& folder) {
  const RunFolder opened = RunFolder::open(folder);
  ReportRun run;
  run.folder = folder;
  run.config = opened.config();
  run.command = opened.command();
  run.remarks = opened.remarks();
  if (run.config.contains("solvers")) {
    read_comparison(run);
  } else {
    read_segmentation(opened, run);
  }
  return run;
}

std::vector<Report::Curve> read_curves(const ReportRun& run, const std::string& frame) {
  if (const auto found = run.curves.find(frame); found != run.curves.end()) return found->second;
  const fs::path file = run.folder / "trace" / name_of_utf8(frame + ".csv");
  if (!is_there(file)) return {};
  return {read_curve(file)};
}

}  // namespace roadplane
