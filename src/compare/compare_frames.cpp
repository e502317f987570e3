#include "roadplane/compare/compare_frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "compare_pictures.hpp"
#include "compare_run.hpp"
#include "compare_store.hpp"
#include "compare_tune.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/parallel_for.hpp"
#include "roadplane/pipeline/frame_path.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;

MethodCurve curve_of(std::size_t method, std::uint64_t seed, const SharedFrame& shared,
                     MethodRun& run) {
  MethodCurve curve{method, seed, std::move(run.trace), {}};
  if (shared.truth) {
    curve.recovery_error = recovery_errors(curve.trace, shared.truth->hyperplane);
  }
  return curve;
}

std::string outcome_of(const FrameRecord& r) {
  if (r.status == FrameStatus::failed) return r.error;
  const std::string apart = r.status == FrameStatus::incomplete ? ", agents apart" : "";
  if (!r.score) return r.termination + apart;
  return fmt::format("error {:.2e}, {}{}", r.score->recovery_error, r.termination, apart);
}

/// All methods on one frame with one seed.
class SeedJob {
 public:
  SeedJob(const ComparePlan& plan, const kitti::Frame& frame, int repeat, const fs::path& folder,
          const CompareProgress& progress, const std::atomic<bool>& stop)
      : plan_(plan),
        frame_(frame),
        seed_(plan.config.common.seed + static_cast<std::uint64_t>(repeat)),
        first_(repeat == 0),
        folder_(folder),
        progress_(progress),
        stop_(stop) {}

  SeedRuns operator()() const {
    SeedRuns runs = load_runs(plan_, frame_, seed_, folder_);
    const bool panel = first_ && plan_.panels && runs.panel.empty();
    if (runs.records.size() == plan_.methods.size() && !panel) {
      runs.complete = true;
      return runs;
    }
    if (panel) runs = {};  // a panel needs the labels of all methods
    try {
      run_missing(runs, panel);
    } catch (const std::exception& error) {  // whatever it is, the other frames go on
      runs.error = error.what();
      progress_(frame_.name() + ": failed: " + runs.error);
    }
    return runs;
  }

 private:
  void run_missing(SeedRuns& runs, bool panel) const {
    const SegmentPlan common = plan_.segment_plan(plan_.methods.front(), seed_);
    const SharedFrame shared = share_frame(frame_, common);
    runs.points = shared.scan.size();
    if (shared.truth) runs.truth = shared.truth->source;
    const bool with_curve = first_ || plan_.curves || plan_.frame_curves;
    std::vector<MethodRun> done;
    for (std::size_t m = runs.records.size(); m < plan_.methods.size(); ++m) {
      if (stop_) return;
      MethodRun run = run_method(plan_, plan_.methods[m], seed_, shared, with_curve);
      progress_(fmt::format("{} {}, seed {}: {}", frame_.name(), plan_.methods[m].name, seed_,
                            outcome_of(run.record)));
      runs.records.push_back({m, seed_, run.record});
      if (with_curve && !run.trace.empty()) runs.curves.push_back(curve_of(m, seed_, shared, run));
      save_runs(plan_, frame_, seed_, folder_, runs);
      if (panel) done.push_back(std::move(run));
    }
    if (panel) {
      progress_(frame_.name() + ": drawing every method's labels");
      runs.panel = write_panel(plan_, shared, done, folder_);
      save_runs(plan_, frame_, seed_, folder_, runs);
    }
    runs.complete = true;
  }

  const ComparePlan& plan_;
  const kitti::Frame& frame_;
  std::uint64_t seed_;
  bool first_;
  const fs::path& folder_;
  const CompareProgress& progress_;
  const std::atomic<bool>& stop_;
};

/// The runs of all seeds of a frame, in order.
FrameComparison assembled(const kitti::Frame& frame, std::vector<SeedRuns> seeds) {
  FrameComparison own;
  own.name = frame.name();
  own.sequence = frame.sequence;
  own.frame = frame.number;
  for (SeedRuns& runs : seeds) {
    own.points = std::max(own.points, runs.points);
    if (!runs.truth.empty()) own.truth = runs.truth;
    if (own.error.empty()) own.error = runs.error;
    if (!runs.panel.empty()) own.panel = runs.panel;
    own.stopped = own.stopped || (!runs.complete && runs.error.empty());
    own.records.insert(own.records.end(), runs.records.begin(), runs.records.end());
    std::move(runs.curves.begin(), runs.curves.end(), std::back_inserter(own.curves));
  }
  return own;
}

void tune(Comparison& comparison, const std::vector<kitti::Frame>& tune_frames,
          const fs::path& folder, const CompareProgress& progress, const std::atomic<bool>& stop) {
  for (const kitti::Frame& frame : tune_frames) comparison.tune_frames.push_back(frame.name());
  if (auto before = load_tunings(comparison.plan, folder)) {
    comparison.tunings = std::move(*before);
    for (const Tuning& tuning : comparison.tunings) {
      if (tuning.best) comparison.plan.methods[tuning.method].settings = *tuning.best;
    }
    return;
  }
  comparison.tunings = tune_methods(comparison.plan, tune_frames, progress, stop);
  if (!stop) save_tunings(comparison.plan, comparison.tunings, folder);
}

}  // namespace

std::size_t Comparison::frames_done() const {
  return static_cast<std::size_t>(std::count_if(
      frames.begin(), frames.end(), [](const FrameComparison& frame) { return !frame.stopped; }));
}

std::vector<kitti::Frame> default_tune_frames(const std::vector<kitti::Frame>& all,
                                              const std::vector<kitti::Frame>& compared) {
  constexpr std::size_t kMost = 3;
  std::set<std::string> taken;
  for (const kitti::Frame& frame : compared) taken.insert(frame.name());
  std::vector<kitti::Frame> others;
  for (const kitti::Frame& frame : all) {
    if (!taken.contains(frame.name())) others.push_back(frame);
  }
  if (others.empty()) {
    throw FieldError("tune", "frames beside those of {frames} to tune on", "none left");
  }
  if (others.size() <= kMost) return others;
  std::vector<kitti::Frame> chosen;
  for (std::size_t k = 0; k < kMost; ++k) {
    chosen.push_back(others[k * (others.size() - 1) / (kMost - 1)]);
  }
  return chosen;
}

Comparison compare_frames(const ComparePlan& plan, const std::vector<kitti::Frame>& frames,
                          const std::vector<kitti::Frame>& tune_frames, const fs::path& folder,
                          const CompareProgress& progress, const std::atomic<bool>& stop) {
  std::mutex mutex;
  const CompareProgress say = [&](const std::string& line) {
    const std::scoped_lock lock(mutex);
    progress(line);
  };
  Comparison comparison{plan, {}, {}, {}, frames.size()};
  if (plan.config.tune) tune(comparison, tune_frames, folder, say, stop);
  if (stop) return comparison;

  const auto seeds = static_cast<std::size_t>(plan.config.repeat);
  std::vector<std::vector<SeedRuns>> runs(frames.size(), std::vector<SeedRuns>(seeds));
  parallel_for(plan.config.jobs, frames.size() * seeds, [&](std::size_t k) {
    if (stop) return;
    const std::size_t f = k / seeds;
    const auto repeat = static_cast<int>(k % seeds);
    runs[f][k % seeds] = SeedJob(comparison.plan, frames[f], repeat, folder, say, stop)();
  });
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const bool begun = std::any_of(runs[f].begin(), runs[f].end(), [](const SeedRuns& r) {
      return r.complete || !r.records.empty() || !r.error.empty();
    });
    if (!begun) continue;
    FrameComparison& own = comparison.frames.emplace_back(assembled(frames[f], std::move(runs[f])));
    if ((!plan.curves && !plan.frame_curves) || own.stopped) continue;
    const SegmentPlan common = plan.segment_plan(plan.methods.front(), plan.config.common.seed);
    try {
      if (plan.frame_curves && !own.curves.empty()) say(own.name + ": drawing its curves");
      write_curves(comparison.plan, common.network.graph, frames[f], folder, own);
    } catch (const std::exception& error) {
      own.error = error.what();
    }
  }
  if (plan.curves && comparison.frames_done() == frames.size()) {
    say("drawing the curves of all frames");
    comparison.curve_pictures = write_summary_curves(comparison, folder);
  }
  return comparison;
}

}  // namespace roadplane
