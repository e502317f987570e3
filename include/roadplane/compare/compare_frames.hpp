#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "roadplane/compare/compare_config.hpp"
#include "roadplane/kitti/frame.hpp"
#include "roadplane/results/frame_record.hpp"

namespace roadplane {

/// One run of one method on a frame.
struct CompareRecord {
  std::size_t method = 0;  ///< of ComparePlan::methods
  std::uint64_t seed = 0;
  FrameRecord record;
};

/// How a solver got on, with one seed.
struct MethodCurve {
  std::size_t method = 0;
  std::uint64_t seed = 0;
  std::vector<TraceEntry> trace;
  std::vector<double> recovery_error;  ///< of the mean hyperplane, per entry; empty without truth
};

struct FrameComparison {
  std::string name;
  std::string sequence;
  int frame = 0;
  std::size_t points = 0;
  std::string truth;     ///< what it was scored against; empty if against nothing
  std::string error;     ///< why it, or a picture of it, failed; empty if all is well
  bool stopped = false;  ///< before all methods had run: nothing over all frames counts it
  std::vector<CompareRecord> records;
  std::vector<MethodCurve> curves;
  std::string panel;                        ///< picture, relative to the run's folder
  std::vector<std::string> curve_pictures;  ///< the same
};

/// One setting of a solver that was tried.
struct TuningTrial {
  MethodSettings settings;
  /// Mean over frames of approach(): -2 is a hundredth of the start's distance all the way, 0 a
  /// solver that stands still. Infinite if a frame is bad.
  double score = 0;
  double distance = 0;  ///< from the minimiser at the end, geometric mean over frames
};

/// How far a solve has come in what a budget pays for: log10 of the worst agent's distance from the
/// minimiser over that at the start, averaged over the curve from the start to the budget's end.
/// Nothing where there is no such distance.
std::optional<double> approach(std::span<const TraceEntry> trace, const Budget& budget,
                               const Graph& graph);

/// How well a solver did with each setting, and what was chosen.
struct Tuning {
  std::size_t method = 0;
  std::vector<TuningTrial> trials;
  std::optional<MethodSettings> best;  ///< none if nothing comes nearer than the start
  std::string edge;  ///< parameters whose best value is the last that was tried; empty is well
};

struct Comparison {
  ComparePlan plan;  ///< with the steps as tuned
  std::vector<std::string> tune_frames;
  std::vector<Tuning> tunings;
  std::vector<FrameComparison> frames;
  std::size_t frames_asked = 0;
  std::vector<std::string> curve_pictures = {};  ///< of all frames, relative to the run's folder

  /// Frames that all methods had their runs on: fewer than asked for if it was stopped.
  std::size_t frames_done() const;
};

/// Called with a line of text after each piece of work.
using CompareProgress = std::function<void(const std::string&)>;

/// Some of the frames that are not compared, spread evenly. Throws FieldError naming `tune` if
/// there is none.
std::vector<kitti::Frame> default_tune_frames(const std::vector<kitti::Frame>& all,
                                              const std::vector<kitti::Frame>& compared);

/// Tunes if asked to, then runs every method on every frame with every seed, CompareConfig::jobs of
/// frames and seeds at a time; what was tuned, every run and pictures go below `folder` as they
/// come, and what is there already is taken from there. All methods get a frame in the same shards,
/// on the same network, from the same start. A bad frame is its comparison's error, and the others
/// go on. Throws FieldError naming `tune` if no frame to tune on is good. A true `stop` ends the
/// work after the runs under way; a comparison that is stopped while it tunes has no frames.
Comparison compare_frames(const ComparePlan& plan, const std::vector<kitti::Frame>& frames,
                          const std::vector<kitti::Frame>& tune_frames,
                          const std::filesystem::path& folder, const CompareProgress& progress,
                          const std::atomic<bool>& stop);

}  // namespace roadplane
