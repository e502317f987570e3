#include "roadplane/compare/compare_config.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/baseline/registry.hpp"

namespace roadplane {
namespace {

/// The words of a list, each known and given once.
std::vector<std::string> checked_list(const std::string& field, const std::string& text,
                                      std::span<const std::string_view> known) {
  const std::vector<std::string> words = split_list(text);
  if (words.empty()) throw FieldError(field, "a list of " + alternatives(known), "nothing");
  std::set<std::string> seen;
  for (const std::string& word : words) {
    if (std::find(known.begin(), known.end(), word) == known.end()) {
      throw FieldError(field, alternatives(known), in_quotes(word));
    }
    if (!seen.insert(word).second) {
      throw FieldError(field, "every word once", in_quotes(word) + " twice");
    }
  }
  return words;
}

std::vector<std::string> checked_or_none(const std::string& field, const std::string& text,
                                         std::span<const std::string_view> known) {
  if (text == "none") return {};
  return checked_list(field, text, known);
}

constexpr std::string_view kWithoutPenalty = "vrsgt-no-penalty";
constexpr std::string_view kAllReduce = "all-reduce";

std::string name_of(const std::string& solver, const std::string& objective) {
  return upper_case(solver) + (solver == kAllReduce ? " (central), " : ", ") + objective;
}

std::vector<CompareMethod> checked_methods(const CompareConfig& config) {
  constexpr std::string_view kObjectives[] = {"robust", "l3"};
  std::vector<CompareMethod> methods;
  const auto solvers = checked_or_none("solvers", config.solvers, compared_solver_names());
  for (const auto& objective : checked_list("objectives", config.objectives, kObjectives)) {
    for (const auto& solver : solvers) {
      methods.push_back({name_of(solver, objective), solver, objective, "", {config.common.step}});
    }
  }
  for (const auto& name : checked_or_none("baselines", config.baselines, baseline_names())) {
    methods.push_back({upper_case(name), "", "", name});
  }
  if (methods.empty()) throw FieldError("solvers", "something to compare", "none");
  return methods;
}

std::vector<double> checked_steps(const std::string& text) {
  std::vector<double> steps;
  for (const std::string& word : split_list(text)) {
    double step = 0;
    const char* end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, step);
    if (error != std::errc() || stop != end || !(step > 0 && step <= 1000)) {
      throw FieldError("tune_steps", "a list of numbers above 0, at most 1000", in_quotes(word));
    }
    steps.push_back(step);
  }
  if (steps.empty()) throw FieldError("tune_steps", "a list of numbers", "nothing");
  return steps;
}

void check_protocol(const CompareConfig& config, const std::vector<CompareMethod>& methods) {
  if (config.protocol != "equal" && config.protocol != "paper") {
    throw FieldError("protocol", "equal or paper", in_quotes(config.protocol));
  }
  if (config.protocol == "equal") return;
  if (!config.budget.empty()) {
    throw FieldError("protocol", "no {budget}: the paper's epochs are one", config.budget);
  }
  for (const CompareMethod& method : methods) {
    if (!method.is_baseline() && method.solver != "vrsgt" && method.solver != "drsgd") {
      throw FieldError("protocol", "solvers vrsgt and drsgd, the paper's", method.solver);
    }
  }
}

}  // namespace

std::span<const std::string_view> compared_solver_names() {
  static const std::vector<std::string_view> names = [] {
    const auto registered = solver_names();
    std::vector<std::string_view> all(registered.begin(), registered.end());
    all.insert(all.end(), {kWithoutPenalty, kAllReduce});
    return all;
  }();
  return names;
}

bool CompareMethod::has_step() const {
  return !is_central() && solver != GossipIrlsOptions::kName &&
         solver != GossipNewtonOptions::kName;
}

nlohmann::json to_json(const CompareConfig& config) {
  nlohmann::json json = to_json(config.common);
  for (const char* key : {"solver", "objective", "iterations", "save", "overlay-style",
                          "image-format", "surface", "track"}) {
    json.erase(key);
  }
  json.update({{"solvers", config.solvers},
               {"objectives", config.objectives},
               {"baselines", config.baselines},
               {"budget", config.budget},
               {"protocol", config.protocol},
               {"tune", config.tune},
               {"tune-frames", config.tune_frames},
               {"tune-steps", config.tune_steps},
               {"repeat", config.repeat},
               {"save", config.save}});
  return json;
}

ComparePlan::ComparePlan(const CompareConfig& asked)
    : config(asked), methods(checked_methods(asked)), steps(checked_steps(asked.tune_steps)) {
  for (const auto& [field, value] : {std::pair("repeat", asked.repeat), {"jobs", asked.jobs}}) {
    if (value < 1) throw FieldError(field, "at least 1", std::to_string(value));
  }
  if (!asked.budget.empty()) budget = Budget::parse(asked.budget);
  check_protocol(asked, methods);
  if (!asked.tune && !asked.tune_frames.empty()) {
    throw FieldError("tune_frames", "{tune} with it", "none");
  }
  if (!asked.tune && asked.tune_steps != CompareConfig{}.tune_steps) {
    throw FieldError("tune_steps", "{tune} with it", "none");
  }
  if (asked.tune && asked.solvers == "none") {
    throw FieldError("tune", "{solvers} with it", "none");
  }
  constexpr std::string_view kPictures[] = {"curves", "frame-curves", "panels"};
  for (const std::string& word : checked_or_none("save", asked.save, kPictures)) {
    (word == "curves" ? curves : word == "panels" ? panels : frame_curves) = true;
  }
  for (const CompareMethod& method : methods) segment_plan(method, asked.common.seed);  // checks
}

SegmentPlan ComparePlan::segment_plan(const CompareMethod& method, std::uint64_t seed) const {
  SegmentConfig segment = config.common;
  if (!method.is_baseline()) {
    segment.solver = method.solver == kWithoutPenalty ? VrsgtOptions::kName
                     : method.solver == kAllReduce    ? GossipNewtonOptions::kName
                                                      : std::string_view(method.solver);
    if (method.solver == kAllReduce) segment.topology = "complete";
    segment.objective = method.objective;
    segment.step = method.settings.step;
  }
  segment.seed = seed;
  segment.save = "none";
  segment.surface = to_string(Surface::plane);  // it is planes that are compared
  SegmentPlan plan(segment);
  if (method.solver == kWithoutPenalty) std::get<VrsgtOptions>(plan.plane.solver).penalty = 0;
  return method.is_baseline() ? plan : with_settings(plan, method.settings);
}

}  // namespace roadplane
