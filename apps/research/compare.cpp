#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
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
#include "roadplane/compare/frame_choice.hpp"
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
    "Ctrl-C ends after the runs under way, with tables of what is done; --resume continues "
    "from there.\n"
    "A comparison runs in one process; under mpirun the first rank does it all and says so.\n"
    "Exit codes: 0 all good, 1 wrong usage, 2 bad input, 3 some frames or runs failed, or stopped.";

struct CompareJob {
  CompareConfig config;
  std::vector<std::string> paths_from_config;
  std::filesystem::path out;
  bool resume = false;
  bool quiet = false;
  ReportWish report;
};

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
  job.report.options(config.jobs);
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
               "roadplane: stopped before a frame was compared; no tables written; continue with "
               "--resume --out {}\n",
               shell_word(run.path().string()));
    return kSomeFramesFailed;
  }
  write_results(run.path(), comparison);
  if (job.report.wanted()) write_report(run.path(), job.report.options(config.jobs));
  if (!job.quiet) print_results(comparison, run.path());
  const std::size_t failures = count_failures(comparison);
  if (failures > 0) fmt::print(stderr, "roadplane: frames or runs that failed: {}\n", failures);
  const bool stopped = comparison.frames_done() < comparison.frames_asked;
  if (stopped) {
    fmt::print(stderr,
               "roadplane: stopped after {} of {} frames; continue with --resume --out {}\n",
               comparison.frames_done(), comparison.frames_asked, shell_word(run.path().string()));
  }
  return failures > 0 || stopped ? kSomeFramesFailed : kAllGood;
}

void add_compare_options(CLI::App& app, CompareJob& job) {
  CompareConfig& c = job.config;
  app.add_option("--solvers", c.solvers,
                 "List of " + alternatives(compared_solver_names()) + "; or none")
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--objectives", c.objectives,
                 "Objectives to run each solver with: a list of robust and l3")
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--baselines", c.baselines,
                 "List of " + alternatives(baseline_names()) + "; or none")
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option(
         "--budget", c.budget,
         "Maximum cost per frame: messages=N (per link), rounds=N, bytes=N or samples=N (per\n"
         "agent), or seconds=T (default: for l3 2000 messages, for robust what VRSGT needs\n"
         "plus 5 %)")
      ->type_name("KIND=AMOUNT");
  app.add_option(
         "--protocol", c.protocol,
         "Protocol: equal (budgets), or paper (for l3: batch 16; VRSGT 100 epochs, DRSGD 200\n"
         "with the constant step of its published demo)")
      ->capture_default_str();
  app.add_flag("--tune", c.tune,
               "Tune the parameters of every solver on other frames, by the distance from the\n"
               "minimiser over the whole budget");
  app.add_option("--tune-frames", c.tune_frames,
                 "Frames to tune on (default: up to 3 that are not compared)")
      ->type_name("LIST");
  app.add_option("--tune-steps", c.tune_steps,
                 "Steps with which the search begins; it extends them while that helps")
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--repeat", c.repeat, "Number of seeds to repeat everything with")
      ->check(in_range(1, 1000))
      ->capture_default_str();
  add_trace_option(app, c.common, "Density of curves");
  app.add_option("--jobs", c.jobs,
                 "Number of runs at a time; they share the cores, so times are longer")
      ->check(in_range(1, 256))
      ->capture_default_str();
  app.add_flag("--resume", job.resume, "Continue the comparison in --out");
  app.add_option("--save", c.save,
                 "Pictures: a list of curves (over all frames), frame-curves (of every frame)\n"
                 "and panels (labels by every method); or none")
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--out", job.out, "Folder of the results (default: a new one below runs/)")
      ->type_name("DIR");
  app.add_option("--config", "JSON file with options; options on the command line override it")
      ->type_name("FILE");
  add_report_options(app, job.report);
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
