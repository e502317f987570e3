#include "run_segment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "command_line.hpp"
#include "hints.hpp"
#include "interrupt.hpp"
#include "option_names.hpp"
#include "peak_memory.hpp"
#include "report.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/mpi/communicator.hpp"
#include "roadplane/pipeline/frame_truth.hpp"
#include "roadplane/pipeline/labelled_recordings.hpp"
#include "roadplane/pipeline/mount_files.hpp"
#include "roadplane/pipeline/mpi_scheduler.hpp"
#include "roadplane/pipeline/option_effects.hpp"
#include "roadplane/pipeline/segment_sequence.hpp"
#include "roadplane/results/json_text.hpp"
#include "roadplane/results/run_folder.hpp"
#include "roadplane/results/tables.hpp"

namespace roadplane::app {
namespace {

RunFolder open_run(const SegmentRun& wanted, const nlohmann::json& config,
                   std::span<const RunInput> inputs) {
  const std::filesystem::path out = wanted.out.empty() ? fresh_run_path("segment") : wanted.out;
  RunFolder run = wanted.resume ? RunFolder::resume(out, config, inputs)
                                : RunFolder::create(out, config, inputs);
  run.append_command(command_line());
  return run;
}

bool is_there(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

void print_note(const std::string& remark) { fmt::print("note: {}\n", terminal_text(remark)); }

/// What a run has written, a line for each kind of file; the report is named by the last line.
std::string written_text(const std::filesystem::path& folder, const std::string& save) {
  const auto shown = [](const std::filesystem::path& path) { return terminal_text(path.string()); };
  std::string text = fmt::format("results: {}  (summary.md, .csv, .tex, .json)\n", shown(folder));
  const auto add = [&](const char* what, const std::filesystem::path& path) {
    if (is_there(path)) text += fmt::format("{:<10}{}\n", what, shown(path));
  };
  if (SaveChoice::parse(save).label) add("labels:", folder / "sequences");
  for (const char* kind :
       {"overlay", "birdseye", "edges", "ply", "pcd", "mcap", "trace", "relief", "mount"}) {
    add((std::string(kind) + ":").c_str(), folder / kind);
  }
  return text;
}

/// All of it in one line: "5 frames: 4 ok, 1 failed; median error 2.2e-03; 21.4 frames/s".
std::string last_line(const std::vector<FrameRecord>& records, const RunFolder& run, double rate,
                      const TextLayout& layout) {
  std::string text = records_line(records, layout);
  if (rate > 0) text += fmt::format("; {:.1f} frames/s", rate);
  const std::filesystem::path page = run.path() / "report.html";
  if (!is_there(page)) return text;
  const std::string where = "report: " + shell_word(page.string());
  const bool fits = layout.width == 0 || shown_width(text) + 2 + shown_width(where) <= layout.width;
  return text + (fits ? "; " : "\n") + where;
}

int report(const std::vector<FrameRecord>& records, const std::vector<std::string>& mounts,
           std::size_t frames, const RunFolder& run, const SegmentRun& wanted,
           const Progress& progress, Progress::Detail detail) {
  // A suspect frame may be incomplete, too.
  const auto bad = std::count_if(records.begin(), records.end(), [&](const FrameRecord& r) {
    return !r.error.empty() || (wanted.strict && r.status == FrameStatus::suspect);
  });
  if (detail != Progress::Detail::quiet) {
    const TextLayout layout = wanted.text.layout();
    fmt::print("\n{}\n", records_text(records, 20, layout));
    fmt::print("{}", written_text(run.path(), wanted.config.save));
    for (const std::string& line : mounts) fmt::print("mount of {}\n", terminal_text(line));
    for (const std::string& hint : hints_for(records, wanted.config.data)) print_note(hint);
    fmt::print("{}\n", last_line(records, run, progress.rate(), layout));
  }
  if (records.size() < frames) {
    fmt::print(stderr,
               "roadplane: stopped after {} of {} frames; continue with --resume --out {}\n",
               records.size(), frames, shell_word(run.path().string()));
    return kSomeFramesFailed;
  }
  return bad > 0 ? kSomeFramesFailed : kAllGood;
}

/// Somebody else has been at work in the run's folder.
int report_lost(const std::vector<std::filesystem::path>& lost,
                const std::filesystem::path& folder) {
  fmt::print(stderr,
             "roadplane: {} frame{} lost files, such as {}; make them again with --resume --out "
             "{}\n",
             lost.size(), lost.size() == 1 ? " has" : "s have",
             terminal_text(lost.front().string()), shell_word(folder.string()));
  return kSomeFramesFailed;
}

/// Options are checked before any file is opened.
kitti::Dataset open_checked(const SegmentConfig& config) {
  const SegmentPlan checked(config);
  refuse_without_effect(config);
  kitti::Dataset dataset = open_data(config.data);
  dataset.frames = select_frames(config.data, dataset);
  const bool any_truth =
      std::any_of(dataset.frames.begin(), dataset.frames.end(),
                  [&](const kitti::Frame& frame) { return wants_truth(frame, config.truth); });
  if (!any_truth && config.overlay_style == "truth") {
    dataset.remarks.emplace_back("no frame has a truth, so points are coloured by their labels");
  }
  return dataset;
}

/// What every process finds for itself, and must find alike.
struct Job {
  SegmentConfig config;
  SegmentPlan plan;
  std::vector<kitti::Frame> frames;
  std::vector<std::string> remarks;  ///< about the data

  explicit Job(const SegmentConfig& wanted) : Job(wanted.resolved(), open_checked(wanted)) {}

  Job(const SegmentConfig& resolved, kitti::Dataset found)
      : config(resolved.with_target_for(found.frames)),
        plan(config),
        frames(std::move(found.frames)),
        remarks(std::move(found.remarks)) {}

  std::string fingerprint() const {
    std::string all = text_of(to_json(config));
    for (const kitti::Frame& frame : frames) all += "\n" + frame.name();
    return fmt::format("{} frames (options and frames {:016x})", frames.size(),
                       std::hash<std::string>()(all));
  }
};

/// When all frames are done, of their labels and records.
void write_recordings(const Job& job, const std::vector<FrameRecord>& records,
                      const RunFolder& run) {
  if (!job.plan.save.mcap || records.size() < job.frames.size()) return;
  for (const std::string& remark :
       write_labelled_recordings(job.frames, job.plan, records, run.path())) {
    print_note(remark);
  }
}

/// In the first process.
void print_peak_memory(const std::vector<std::string>& by_rank) {
  for (std::size_t rank = 0; rank < by_rank.size(); ++rank) {
    const std::string who = by_rank.size() == 1 ? "" : fmt::format(" of rank {}", rank);
    fmt::print("peak memory{}: {} MB\n", who, by_rank[rank]);
  }
}

/// Every process comes here; the first one prints and writes.
int segment_with(FrameScheduler& scheduler, const SegmentRun& wanted) {
  const ProcessGroup& processes = scheduler.all_processes();
  std::optional<Job> job;
  processes.run_together([&] { return job.emplace(wanted.config).fingerprint(); });
  std::optional<RunFolder> run;
  processes.run_together([&] {
    if (processes.leads()) {
      run.emplace(open_run(wanted, to_json(job->config), inputs_of(job->config, job->frames)));
    }
    return std::string();
  });
  const Progress::Detail detail = processes.leads() ? wanted.detail : Progress::Detail::quiet;
  if (detail != Progress::Detail::quiet) {
    for (const std::string& remark : job->remarks) print_note(remark);
    for (const std::string& remark : run->remarks()) print_note(remark);
  }
  if (job->plan.network.graph.redraws() > 0 && detail != Progress::Detail::quiet) {
    fmt::print("topology: drawn {} times until connected\n", job->plan.network.graph.redraws() + 1);
  }
  const std::atomic<bool>& interrupted = catch_interrupts();
  const Again again = wanted.retry ? Again::bad_frames : Again::nothing;
  const std::vector<bool> done =
      run ? frames_done(job->frames, job->plan, *run, again) : std::vector<bool>();
  Progress progress(job->frames.size(),
                    static_cast<std::size_t>(std::count(done.begin(), done.end(), true)), detail);
  const std::vector<FrameRecord> records = segment_sequence(
      job->frames, job->plan, run ? &*run : nullptr, again, scheduler,
      [&](const FrameRecord& r) { progress(r); }, interrupted);
  progress.finish();
  if (wanted.detail == Progress::Detail::verbose) {
    const auto memory = processes.all_gather(peak_memory_mb());
    if (processes.leads()) print_peak_memory(memory);
  }
  if (!run) return kAllGood;
  run->write_summary(records);
  std::vector<std::string> mounts;
  if (job->plan.track) mounts = write_mount(run->path(), road_views(records));
  write_recordings(*job, records, *run);
  if (wanted.report.wanted() || is_there(run->path() / "report.html")) {
    write_report(run->path(), wanted.report.options(wanted.jobs));
  }
  const int code = report(records, mounts, job->frames.size(), *run, wanted, progress, detail);
  const auto lost = lost_files(job->frames, job->plan, records, run->path());
  return lost.empty() ? code : report_lost(lost, run->path());
}

/// All ranks have the same options, and so the same complaint.
int ranks_per_frame(const SegmentRun& wanted, int ranks) {
  const int most = std::min(wanted.config.agents, ranks);
  if (wanted.ranks_per_frame > most) {
    throw AgreedError(FieldError("ranks_per_frame",
                                 "at most the agents and the ranks: " + std::to_string(most),
                                 std::to_string(wanted.ranks_per_frame)));
  }
  return wanted.ranks_per_frame == 0 ? most : wanted.ranks_per_frame;
}

int segment_over_mpi(const SegmentRun& wanted, const Communicator& all_ranks) {
  if (wanted.jobs > 1) {
    throw AgreedError(FieldError("jobs", "1 with MPI (more ranks do more frames at a time)",
                                 std::to_string(wanted.jobs)));
  }
  try {
    MpiScheduler scheduler(all_ranks, ranks_per_frame(wanted, all_ranks.size()));
    return segment_with(scheduler, wanted);
  } catch (const AgreedError&) {  // all ranks are here, and end in order
    throw;
  } catch (const std::exception& error) {
    all_ranks.fail(refusal_of(error).line);
  }
}

}  // namespace

int run_segment(const SegmentRun& wanted, Ranks& ranks) {
  wanted.text.validate();
  wanted.report.options(wanted.jobs);  // throws before any work is done
  const Communicator* all_ranks = ranks.ask(wanted.patience_s, wanted.mpi);
  const bool several = all_ranks != nullptr && all_ranks->size() > 1;
  if (several || wanted.mpi) return segment_over_mpi(wanted, *all_ranks);
  ThreadScheduler scheduler(wanted.jobs);
  return segment_with(scheduler, wanted);
}

}  // namespace roadplane::app
