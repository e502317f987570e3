#include "compare_store.hpp"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "roadplane/base/file.hpp"
#include "roadplane/json/read_json.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kMostBytes = std::size_t{256} << 20;

fs::path file_of(const kitti::Frame& frame, std::uint64_t seed, const fs::path& folder) {
  return folder / "runs" / frame.sequence / fmt::format("{}-{}.json", frame.stem(), seed);
}

/// Nothing if there is no such file. Throws InputError if there is no JSON in it.
json read(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(file, ignored) ? read_json(file, kMostBytes) : json();
}

bool has_content(const fs::path& file) {
  std::error_code error;
  const auto bytes = fs::file_size(file, error);
  return !error && bytes > 0;
}

json to_json(const TraceEntry& e) {
  return {e.iteration,
          e.gap.gradient,
          e.gap.consensus,
          e.gap.feasibility,
          e.objective,
          e.traffic.rounds,
          e.traffic.messages_per_link,
          e.traffic.bytes_per_link,
          e.samples,
          e.seconds,
          e.distance ? json(*e.distance) : json()};
}

TraceEntry entry_from(const json& j) {
  TraceEntry e;
  e.iteration = j.at(0);
  e.gap = {j.at(1), j.at(2), j.at(3)};
  e.objective = j.at(4);
  e.traffic = {j.at(5), j.at(6), j.at(7)};
  e.samples = j.at(8);
  e.seconds = j.at(9);
  if (!j.at(10).is_null()) e.distance = j.at(10).get<double>();
  return e;
}

SeedRuns runs_from(const json& j, const ComparePlan& plan, std::uint64_t seed) {
  SeedRuns runs;
  runs.points = j.at("points");
  runs.truth = j.at("truth");
  runs.panel = j.at("panel");
  for (const json& run : j.at("runs")) {
    const std::size_t method = runs.records.size();
    if (method >= plan.methods.size() || run.at("method") != plan.methods[method].name) return {};
    runs.records.push_back({method, seed, record_from_json(run.at("record"), "runs")});
  }
  for (const json& curve : j.at("curves")) {
    MethodCurve& own = runs.curves.emplace_back(MethodCurve{curve.at("method"), seed, {}, {}});
    for (const json& entry : curve.at("trace")) own.trace.push_back(entry_from(entry));
    own.recovery_error = curve.at("recovery_error").get<std::vector<double>>();
    const bool as_many = own.recovery_error.size() == own.trace.size();
    if (own.method >= plan.methods.size() || !(as_many || own.recovery_error.empty())) return {};
  }
  return runs;
}

double or_infinite(const json& j) {
  return j.is_null() ? std::numeric_limits<double>::infinity() : j.get<double>();
}

}  // namespace

void save_runs(const ComparePlan& plan, const kitti::Frame& frame, std::uint64_t seed,
               const fs::path& folder, const SeedRuns& runs) {
  if (folder.empty()) return;
  json all = {{"points", runs.points},
              {"truth", runs.truth},
              {"panel", runs.panel},
              {"runs", json::array()},
              {"curves", json::array()}};
  for (const CompareRecord& run : runs.records) {
    all["runs"].push_back(
        {{"method", plan.methods[run.method].name}, {"record", to_json(run.record)}});
  }
  for (const MethodCurve& curve : runs.curves) {
    json trace = json::array();
    for (const TraceEntry& entry : curve.trace) trace.push_back(to_json(entry));
    all["curves"].push_back({{"method", curve.method},
                             {"trace", std::move(trace)},
                             {"recovery_error", curve.recovery_error}});
  }
  const fs::path file = file_of(frame, seed, folder);
  make_folders(file.parent_path());
  write_file_atomically(file, all.dump());
}

SeedRuns load_runs(const ComparePlan& plan, const kitti::Frame& frame, std::uint64_t seed,
                   const fs::path& folder) {
  if (folder.empty()) return {};
  try {
    const json all = read(file_of(frame, seed, folder));
    SeedRuns runs = all.is_object() ? runs_from(all, plan, seed) : SeedRuns{};
    if (!runs.panel.empty() && !has_content(folder / runs.panel)) runs.panel.clear();
    return runs;
  } catch (const std::exception&) {  // damaged, or of another version: done anew
    return {};
  }
}

void save_tunings(const ComparePlan& plan, const std::vector<Tuning>& tunings,
                  const fs::path& folder) {
  if (folder.empty()) return;
  json all = json::array();
  for (const Tuning& tuning : tunings) {
    json trials = json::array();
    for (const TuningTrial& t : tuning.trials) {
      trials.push_back({to_json(t.settings), t.score, t.distance});
    }
    all.push_back({{"method", plan.methods[tuning.method].name},
                   {"best", tuning.best ? to_json(*tuning.best) : json()},
                   {"edge", tuning.edge},
                   {"trials", trials}});
  }
  write_file_atomically(folder / "tuning.json", all.dump());
}

std::optional<std::vector<Tuning>> load_tunings(const ComparePlan& plan, const fs::path& folder) {
  if (folder.empty()) return std::nullopt;
  try {
    const json all = read(folder / "tuning.json");
    if (!all.is_array()) return std::nullopt;
    std::vector<Tuning> tunings;
    for (const json& j : all) {
      Tuning& tuning = tunings.emplace_back();
      while (plan.methods.at(tuning.method).name != j.at("method")) ++tuning.method;
      if (!j.at("best").is_null()) tuning.best = settings_from_json(j.at("best"));
      tuning.edge = j.at("edge");
      for (const json& t : j.at("trials")) {
        tuning.trials.push_back(
            {settings_from_json(t.at(0)), or_infinite(t.at(1)), or_infinite(t.at(2))});
      }
    }
    return tunings;
  } catch (const std::exception&) {  // damaged, or of another version: done anew
    return std::nullopt;
  }
}

}  // namespace roadplane
