#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "command.hpp"
#include "command_line.hpp"
#include "interrupt.hpp"
#include "report.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/baseline/registry.hpp"
#include "roadplane/compare/compare_frames.hpp"
#include "roadplane/compare/compare_tables.hpp"
#include "roadplane/kitti/frame_selection.hpp"
#include "roadplane/results/json_text.hpp"
#include "roadplane/results/run_folder.hpp"
#include "segment_options.hpp"
#include "terminal.hpp"

namespace roadplane::app {
namespace {

constexpr const char* kFooter =
    "Every solver gets each frame in the same shards, on the same network, from the same start, "
    "and\n"
    "with the same budget. vrsgt-no-penalty is VRSGT with beta = 0; all-reduce is central: exact "
    "sums\n"
    "over all agents after one message. Baselines are centralised: they see all points at once.\n"
    "\n"
    "Examples:\n"
    "  roadplane compare sequences/00 --frames 0:100:20\n"
    "  roadplane compare sequences/00 --frames 0,50 --solvers vrsgt,drsgd --tune --repeat 5\n"
    "  roadplane compare sequences/00 --objectives robust --solvers vrsgt,gossip-irls\n"
    "  roadplane compare annotations --frames 328 --objectives l3 --solvers vrsgt,drsgd "
    "--protocol paper\n"
    "\n"
    "Ctrl-C ends after the runs under way, with tables of what is done; --resume goes on from "
    "there.\n"
    "A comparison runs in one process; under mpirun the first rank does it all and says so.\n"
    "Exit codes: 0 all good, 1 wrong usage, 2 bad input, 3 some frames or runs failed, or stopped.";

struct CompareJob {
  CompareConfig config;
  std::vector<std::string> paths_from_config;
  std::filesystem::path out;
  bool resume = false;
  bool quiet = false;
  bool report = false;
};

/// Frames to compare on, and others to tune on.
struct FrameChoice {
  std::vector<kitti::Frame> compared;
  std::vector<kitti::Frame> tuned;
};

FrameChoice choose_frames(const CompareConfig& config) {
  const kitti::Dataset dataset = open_data(config.common.data);
  const std::vector<kitti::Frame>& all = dataset.frames;
  FrameChoice choice{select_frames(config.common.data, dataset), {}};
  if (!config.tune) return choice;
  if (config.tune_frames.empty()) {
    choice.tuned = default_tune_frames(all, choice.compared);
    return choice;
  }
  try {
    choice.tuned = kitti::FrameSelection::parse(config.tune_frames).apply(all);
  } catch (const FieldError& error) {
    throw FieldError("tune_frames", error.expected(), error.found());
  }
  std::set<std::string> compared;
  for (const kitti::Frame& frame : choice.compared) compared.insert(frame.name());
  for (const kitti::Frame& frame : choice.tuned) {
    if (compared.contains(frame.name())) {
      throw FieldError("tune_frames", "frames that are not compared", frame.name());
    }
  }
  return choice;
}

void write_results(const std::filesystem::path& folder, const Comparison& comparison) {
  write_file_atomically(folder / "summary.csv", comparison_csv(comparison));
  write_file_atomically(folder / "summary.tex", comparison_latex(comparison));
  write_file_atomically(folder / "summary.md", comparison_markdown(comparison));
  write_file_atomically(folder / "compare.json", text_of(comparison_json(comparison), 1) + "\n");
}

/// Frames and runs that failed.
std::size_t count_failures(const Comparison& comparison) {
  std::size_t failures = 0;
  for (const FrameComparison& frame : comparison.frames) {
    failures += frame.error.empty() ? 0 : 1;
    for (const CompareRecord& run : frame.records) {
      failures += run.record.status == FrameStatus::failed ? 1 : 0;
    }
  }
  return failures;
}

/// A line for who reads along. If nobody does any more (a closed pipe), the work goes on.
void say(const std::string& line) {
  std::fputs((line + "\n").c_str(), stdout);
  std::fflush(stdout);
}

void print_results(const Comparison& comparison, const std::filesystem::path& folder) {
  const auto frames = std::count_if(
      comparison.frames.begin(), comparison.frames.end(),
      [](const FrameComparison& frame) { return !frame.stopped && !frame.records.empty(); });
  say(fmt::format("\nMedians over {} frame{} and {} seed{}:\n\n{}", frames, frames == 1 ? "" : "s",
                  comparison.plan.config.repeat, comparison.plan.config.repeat == 1 ? "" : "s",
                  comparison_text(comparison)));
  for (const auto& lines : {findings_of(comparison), protocol_of(comparison)}) {
    std::string text;
    for (const std::string& line : lines) text += wrapped("- " + line, 80, 2) + "\n";
    if (!text.empty()) say(text);
  }
  say("results: " + terminal_text(folder.string()) +
      "\n         (summary.md, .csv, .tex, compare.json; pictures below it)");
}

RunFolder open_folder(const CompareJob& job, const CompareConfig& config,
                      const FrameChoice& frames) {
  const std::vector<RunInput> inputs = inputs_of(config.common, frames.compared);
  if (job.resume) return RunFolder::resume(job.out, to_json(config), inputs);
  return RunFolder::create(job.out.empty() ? fresh_run_path("compare") : job.out, to_json(config),
                           inputs);
}

int run_compare(const CompareJob& job, Ranks& ranks) {
  CompareConfig config = job.config;
  config.common.data = config.common.data.resolved();
  const ComparePlan checked(config);  // before any file is opened
  const FrameChoice frames = choose_frames(config);
  config.common = config.common.with_target_for(frames.compared);
  const ComparePlan plan(config);
  RunFolder run = open_folder(job, config, frames);
  run.append_command(command_line());
  ignore_closed_pipes();
  if (ranks.size() > 1) {
    say("a comparison runs in one process: the other ranks are not used; --jobs N does N runs at a "
        "time");
  }
  const auto print_line = [&](const std::string& line) {
    if (!job.quiet) say(line);
  };
  const Comparison comparison = compare_frames(plan, frames.compared, frames.tuned, run.path(),
                                               print_line, catch_interrupts());
  if (comparison.frames.empty()) {
    fmt::print(stderr,
               "roadplane: stopped before a frame was compared; no tables written; --resume --out "
               "{} goes on\n",
               run.path().string());
    return kSomeFramesFailed;
  }
  write_results(run.path(), comparison);
  if (job.report) write_report(run.path());
  if (!job.quiet) print_results(comparison, run.path());
  const std::size_t failures = count_failures(comparison);
  if (failures > 0) fmt::print(stderr, "roadplane: frames or runs that failed: {}\n", failures);
  const bool stopped = comparison.frames_done() < comparison.frames_asked;
  if (stopped) {
    fmt::print(stderr, "roadplane: stopped after {} of {} frames; --resume --out {} goes on\n",
               comparison.frames_done(), comparison.frames_asked, run.path().string());
  }
  return failures > 0 || stopped ? kSomeFramesFailed : kAllGood;
}

void add_compare_options(CLI::App& app, CompareJob& job) {
  CompareConfig& c = job.config;
  app.add_option("--solvers", c.solvers,
                 "List of " + alternatives(compared_solver_names()) + "; or none")
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--objectives", c.objectives, "Each solver with each of robust and l3")
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--baselines", c.baselines,
                 "List of " + alternatives(baseline_names()) + "; or none")
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--budget", c.budget,
                 "What a solver may spend on a frame, and never more: messages=N (per link),\n"
                 "rounds=N, bytes=N or samples=N (per agent), or seconds=T (default: l3 2000\n"
                 "messages; robust those of VRSGT and 5 %)")
      ->type_name("KIND=AMOUNT");
  app.add_option("--protocol", c.protocol,
                 "equal (budgets), or paper (batch 16; VRSGT 100 epochs, DRSGD 200 with the\n"
                 "constant step of its published demo; l3)")
      ->capture_default_str();
  app.add_flag("--tune", c.tune,
               "Tune every solver's own parameters on other frames, by the distance from the\n"
               "minimiser on the way");
  app.add_option("--tune-frames", c.tune_frames,
                 "Frames to tune on (default: up to 3 that are not compared)")
      ->type_name("LIST");
  app.add_option("--tune-steps", c.tune_steps, "Where the search for a step begins; it grows")
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--repeat", c.repeat, "Seeds to repeat everything with")
      ->check(in_range(1, 1000))
      ->capture_default_str();
  add_trace_option(app, c.common, "Density of curves");
  app.add_option("--jobs", c.jobs, "Runs at a time; times are of shared cores then")
      ->check(in_range(1, 256))
      ->capture_default_str();
  app.add_flag("--resume", job.resume, "Go on with the comparison in --out");
  app.add_option("--save", c.save,
                 "Pictures: a list of curves (over all frames), frame-curves (of every frame)\n"
                 "and panels (labels by every method); or none")
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--out", job.out, "Folder of the results (default: a fresh one below runs/)")
      ->type_name("DIR");
  app.add_option("--config", "Options from a JSON file; what is typed wins")->type_name("FILE");
  app.add_flag("--report", job.report, "Also write report.html, as roadplane report does");
  app.add_flag("--quiet", job.quiet, "Print errors only");
}

}  // namespace

Run add_compare(CLI::App& app) {
  app.footer(kFooter);
  auto job = std::make_shared<CompareJob>();
  add_dataset_options(app, job->config.common, job->paths_from_config);
  add_compare_options(app, *job);
  add_network_options(app, job->config.common);
  add_objective_options(app, job->config.common);
  return [job](Ranks& ranks) {
    if (job->resume && job->out.empty()) throw FieldError("resume", "{out} with it", "none");
    require_path(job->config.common, job->paths_from_config);
    return run_compare(*job, ranks);
  };
}

}  // namespace roadplane::app
