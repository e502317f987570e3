#include "roadplane/study/reproduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>

#include "crossover.hpp"
#include "figure1.hpp"
#include "figure2.hpp"
#include "figure3.hpp"
#include "heterogeneous.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/base/words.hpp"
#include "table1.hpp"
#include "table2.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;

Outcome run_table1(const StudyContext& context) {
  return write_table1(measure_table1({}, context), context.folder);
}

Outcome run_table2(const StudyContext& context) {
  return write_table2(measure_roads(find_road_frames(context.data), {}, context, std::nullopt),
                      context.folder);
}

Outcome run_figure1(const StudyContext& context) {
  return write_figure1(measure_figure1({}, context), context.folder);
}

Outcome run_figure2(const StudyContext& context) {
  const Figure2Options options;
  std::string description;
  context.say("figure2: reading MNIST");
  const PcaProblem problem = find_mnist(context.data, options, description);
  context.say("figure2: " + description);
  return write_figure2(measure_figure2(problem, description, options, context), context.folder);
}

/// The two methods that the paper draws.
Outcome run_figure3(const StudyContext& context) {
  RoadStudyOptions options;
  options.methods.resize(2);
  return write_figure3(
      measure_roads(find_road_frames(context.data), options, context, context.folder),
      context.folder);
}

Outcome run_heterogeneous(const StudyContext& context) {
  return write_heterogeneous(measure_heterogeneous({}, context), context.folder);
}

Outcome run_crossover(const StudyContext& context) {
  return write_crossover(measure_crossover({}, context), context.folder);
}

struct Experiment {
  const char* name;
  bool needs_roads;
  Outcome (*run)(const StudyContext&);
};
constexpr Experiment kExperiments[] = {{"table1", false, run_table1},
                                       {"table2", true, run_table2},
                                       {"heterogeneous", true, run_heterogeneous},
                                       {"figure1", false, run_figure1},
                                       {"figure2", false, run_figure2},
                                       {"figure3", true, run_figure3},
                                       {"crossover", false, run_crossover}};

const Experiment& find_experiment(const std::string& name) {
  for (const Experiment& experiment : kExperiments) {
    if (experiment.name == name) return experiment;
  }
  throw FieldError("experiment", fmt::format("{} or all", fmt::join(experiment_names(), ", ")),
                   in_quotes(name));
}

void check(const ReproduceOptions& options) {
  bool roads = false;
  for (const std::string& name : options.experiments) {
    roads = roads || find_experiment(name).needs_roads;
  }
  std::error_code ignored;
  if (!fs::is_directory(options.data, ignored)) {
    throw FieldError("data", "a folder that holds kitti/ and mnist/", options.data.string());
  }
  if (fs::exists(options.out, ignored) &&
      (!fs::is_directory(options.out, ignored) || !fs::is_empty(options.out, ignored))) {
    throw FieldError("out", "a new or empty folder", options.out.string());
  }
  if (roads) find_road_frames(options.data);
}

std::string claims_table(const std::string& heading, const std::string& rows) {
  if (rows.empty()) return "";
  return "# " + heading + "\n\n| experiment | claim | agrees? | why |\n|---|---|---|---|\n" + rows +
         "\n";
}

}  // namespace

std::vector<std::string> experiment_names() {
  std::vector<std::string> names;
  for (const Experiment& experiment : kExperiments) names.emplace_back(experiment.name);
  return names;
}

std::vector<Outcome> reproduce(const ReproduceOptions& options) {
  check(options);
  std::vector<Outcome> outcomes;
  std::string rows[2];  // of the paper, and ours
  std::string times;
  for (const std::string& name : options.experiments) {
    const auto begin = std::chrono::steady_clock::now();
    const StudyContext context{options.data, options.out / name, options.threads, options.say};
    make_folders(context.folder);
    const Outcome outcome = find_experiment(name).run(context);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    for (const Claim& c : outcome.claims) {
      options.say(fmt::format("{}: {}: {}: {}", name, c.agrees ? "agrees" : "DOES NOT AGREE",
                              c.claim, c.why));
      rows[c.of_paper ? 0 : 1] += fmt::format("| [{0}]({0}/page.md) | {1} | {2} | {3} |\n", name,
                                              c.claim, c.agrees ? "yes" : "**no**", c.why);
    }
    times += fmt::format("{}{} {:.0f} s", times.empty() ? "" : ", ", name, took.count());
    outcomes.push_back(outcome);
    write_file_atomically(options.out / "README.md",
                          claims_table("The paper's experiments, repeated", rows[0]) +
                              claims_table("Asked beside the paper", rows[1]) + "Took: " + times +
                              ".\n");
  }
  return outcomes;
}

}  // namespace roadplane
