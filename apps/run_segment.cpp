#include "run_segment.hpp"

#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "command_line.hpp"
#include "report.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "roadplane/kitti/frame_selection.hpp"
#include "roadplane/pipeline/run_folder.hpp"
#include "roadplane/pipeline/segment_sequence.hpp"
#include "roadplane/pipeline/tables.hpp"

namespace roadplane::app {
namespace {

std::atomic<bool> interrupted{false};

/// Ctrl-C ends after the frames under way; a second one at once.
void catch_interrupts() {
  std::signal(SIGINT, [](int) {
    interrupted = true;
    std::signal(SIGINT, SIG_DFL);
  });
}

std::vector<kitti::Frame> chosen_frames(const SegmentConfig& config) {
  std::optional<std::string> sequence;
  if (!config.sequence.empty()) sequence = config.sequence;
  std::vector<kitti::Frame> frames = kitti::open_dataset(config.path, sequence).frames;
  if (config.frames.empty()) return frames;
  return kitti::FrameSelection::parse(config.frames).apply(frames);
}

int report(const std::vector<FrameRecord>& records, std::size_t frames, const RunFolder& run,
           Progress::Detail detail) {
  std::size_t bad = 0;
  for (const FrameRecord& record : records) bad += record.status != FrameStatus::ok ? 1 : 0;
  if (detail != Progress::Detail::quiet) {
    fmt::print("\n{}\n", records_text(records, 20));
    if (bad > 0) fmt::print("{} of {} frames failed or are incomplete\n", bad, frames);
    fmt::print("results: {}  (summary.md, summary.json, labels and pictures below it)\n",
               run.path().string());
  }
  if (records.size() < frames) {
    fmt::print(stderr, "roadplane: stopped after {} of {} frames; go on with --resume --out {}\n",
               records.size(), frames, run.path().string());
    return kSomeFramesFailed;
  }
  return bad > 0 ? kSomeFramesFailed : kAllGood;
}

}  // namespace

int run_segment(const SegmentRun& job) {
  const SegmentConfig resolved = job.config.resolved();
  const SegmentPlan plan(resolved);
  const std::vector<kitti::Frame> frames = chosen_frames(resolved);
  const nlohmann::json config = to_json(resolved);
  const std::filesystem::path out = job.out.empty() ? fresh_run_path("segment") : job.out;
  RunFolder run = job.resume ? RunFolder::resume(out, config) : RunFolder::create(out, config);
  run.append_command(command_line());
  if (plan.network.graph.redraws() > 0 && job.detail != Progress::Detail::quiet) {
    fmt::print("topology: drawn {} times until connected\n", plan.network.graph.redraws() + 1);
  }
  catch_interrupts();
  Progress progress(frames.size(), run.done().size(), job.detail);
  const std::vector<FrameRecord> records = segment_sequence(
      frames, plan, run, job.jobs, [&](const FrameRecord& r) { progress(r); }, interrupted);
  progress.finish();
  run.write_summary(config, records);
  if (job.report) write_report(run.path());
  return report(records, frames.size(), run, job.detail);
}

}  // namespace roadplane::app
