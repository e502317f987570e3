#include "roadplane/pipeline/segment_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "roadplane/base/input_error.hpp"
#include "roadplane/pipeline/frame_output.hpp"
#include "roadplane/pipeline/frame_score.hpp"
#include "roadplane/pipeline/frame_truth.hpp"

namespace roadplane {
namespace {

/// Agents whose hyperplanes differ by more have not agreed, however the solve ended.
constexpr double kAgreement = 1e-3;

/// Gives the milliseconds since it was made, or since the last lap.
class Laps {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::milli>(now - std::exchange(last_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// What an observer of all agents sees: their hyperplanes, the mean, and how far they are apart.
struct Agreement {
  std::vector<Eigen::Vector4d> all;
  Eigen::Vector4d mean = Eigen::Vector4d::Zero();
  double worst_deviation = 0;

  Agreement(const Channel& channel, std::span<const Eigen::Vector4d> hosted)
      : all(channel.network().agents()) {
    std::vector<double> rows(4 * all.size());
    for (std::size_t i = 0; i < hosted.size(); ++i) std::copy_n(hosted[i].data(), 4, &rows[4 * i]);
    const std::vector<double> own(rows.begin(), rows.begin() + 4 * std::ssize(hosted));
    channel.observe(own, 4, rows);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = Eigen::Vector4d(&rows[4 * i]);
    for (const Eigen::Vector4d& agent : all) mean += agent;
    mean.normalize();
    for (const Eigen::Vector4d& agent : all) {
      worst_deviation = std::max(worst_deviation, (agent - mean).norm());
    }
  }
};

void set_incomplete(FrameRecord& record, const std::string& why) {
  record.status = FrameStatus::incomplete;
  if (record.error.empty()) record.error = why;
}

/// The hosted agents' points. If a process cannot read its own, or they see different scans,
/// all throw.
ScanShare read_share(const kitti::Frame& frame, const SegmentPlan& plan,
                     const ProcessGroup& processes, const Channel& channel) {
  ScanShare share;
  processes.run_together([&] {
    share = kitti::load_share(frame, plan.shards, plan.network.agents(), plan.seed,
                              channel.hosted().front(), channel.hosted_count());
    return fmt::format("{}: {} points", frame.scan.string(), share.scan_points);
  });
  return share;
}

std::vector<HomogeneousCloud> share_out(const ScanShare& share) {
  std::vector<HomogeneousCloud> clouds(share.shards.agents());
  std::vector<int> all(clouds.size());
  std::iota(all.begin(), all.end(), 0);
  assign_shards(share.points, share.shards, all, clouds);
  return clouds;
}

/// By talking to neighbours the agents agree on the plane. Throws InputError if there is none.
Agreement agree_on_plane(std::span<const HomogeneousCloud> clouds, const SegmentPlan& plan,
                         Channel& channel, const std::string& where, FrameRecord& record,
                         std::vector<TraceEntry>& trace) {
  DpcpResult result = solve_dpcp(channel, clouds, plan.dpcp);
  record.termination = to_string(result.solve.termination);
  if (result.solve.termination == Termination::degenerate_input) {  // all agents know
    throw InputError(where, "points that hold a plane",
                     result.degeneracy.empty() ? "a borderline case" : result.degeneracy);
  }
  if (result.solve.termination == Termination::diverged) {
    throw InputError(where, "convergence", "divergence; try a smaller step");
  }
  record_solve(result, plan.network, record);
  trace = std::move(result.solve.trace);
  const Agreement agreement(channel, result.w);
  const auto plane = Plane::from_hyperplane(agreement.mean);
  if (!plane) throw InputError(where, "a plane", "the plane at infinity");
  record.w = agreement.mean;
  record.plane = *plane;
  record.consensus_error = agreement.worst_deviation;
  if (agreement.worst_deviation > kAgreement) {
    set_incomplete(
        record, fmt::format("{}: expected agents that agree to {:g}, found a difference of {:.1e}",
                            where, kAgreement, agreement.worst_deviation));
  }
  return agreement;
}

/// Every point by its distance to the agents' plane.
void label(const SegmentPlan& plan, const ProcessGroup& processes, FrameOutput& output,
           FrameRecord& record) {
  // Positive on the sensor's side, which is above the road also if the sensor hangs upside down.
  const Eigen::Vector4d w = record.w(3) < 0 ? Eigen::Vector4d(-record.w) : record.w;
  residuals(output.share.points, w, plan.threshold.unit, output.residuals);
  record.threshold = plan.threshold.to_string();
  record.threshold_value = plan.threshold.value;
  if (plan.threshold.automatic) {
    ResidualHistogram counts = histogram_below(output.residuals);
    processes.all_reduce_sum(counts);
    record.threshold_value = auto_threshold(counts);
  }
  std::uint64_t inliers = label_road(output.residuals, record.threshold_value, output.road);
  processes.all_reduce_sum({&inliers, 1});
  record.inliers = inliers;
}

/// What the processes have found goes to the leader, in the scan's order.
void collect(const ProcessGroup& processes, ScanShare& share, FrameOutput& output) {
  const SegmentPlan& plan = output.plan;
  const bool truth = wants_truth(output.frame, plan.truth);
  share.points = Scan();
  if (truth || plan.save.label || plan.save.needs_points()) {
    output.road = processes.gather<std::uint8_t>(share.positions, output.road, share.scan_points);
  }
  if (truth) {
    output.residuals =
        processes.gather<float>(share.positions, output.residuals, share.scan_points);
  }
  share = ScanShare();
}

/// The leader takes in the whole scan only where it is drawn or compared with a truth; nobody else
/// ever does.
void take_in_whole_scan(FrameOutput& output, ScanShare& share) {
  const SegmentPlan& plan = output.plan;
  if (!plan.save.needs_points() && !wants_truth(output.frame, plan.truth)) return;
  const int agents = plan.network.agents();
  share = kitti::load_share(output.frame, plan.shards, agents, plan.seed, 0, agents);
}

/// Runs a step that may find something beside the scan to be bad: then the frame is incomplete.
void may_be_incomplete(FrameRecord& record, const auto& step) {
  try {
    step();
  } catch (const std::exception& error) {
    set_incomplete(record, error.what());
  }
}

/// Throws InputError if the frame gives no plane; all processes do then.
void segment(const kitti::Frame& frame, const SegmentPlan& plan,
             const std::filesystem::path& folder, const ProcessGroup& processes,
             FrameRecord& record) {
  // Every agent's points are read by the process that hosts it.
  Laps laps;
  const auto channel = processes.make_channel(plan.network);
  ScanShare share = read_share(frame, plan, processes, *channel);
  record.points = share.scan_points;
  record.ms.load = laps.lap();

  // Together the agents agree on the plane.
  std::vector<HomogeneousCloud> clouds = share_out(share);
  record.ms.whiten = laps.lap();
  FrameOutput output{frame, plan, share, record};
  const Agreement agreement =
      agree_on_plane(clouds, plan, *channel, frame.scan.string(), record, output.trace);
  clouds.clear();

  // Label every point.
  laps.lap();
  label(plan, processes, output, record);
  if (processes.size() > 1) collect(processes, share, output);
  record.ms.label = laps.lap();
  if (!processes.leads()) return;
  if (processes.size() > 1) may_be_incomplete(record, [&] { take_in_whole_scan(output, share); });

  // Compare with the truth where there is one.
  may_be_incomplete(record, [&] {
    auto truth = find_truth(frame, share.points, plan.truth);
    if (!truth) return;
    record.score = score_frame(*truth, agreement.all, record, output.residuals, output.road);
    output.truth = std::move(truth->mask);
  });

  // Write labels, pictures and clouds.
  laps.lap();
  may_be_incomplete(record, [&] { output.write(folder); });
  record.ms.draw = laps.lap();
}

}  // namespace

FrameRecord segment_frame(const kitti::Frame& frame, const SegmentPlan& plan,
                          const std::filesystem::path& folder, const ProcessGroup& processes) {
  FrameRecord record;
  record.sequence = frame.sequence;
  record.name = frame.name();
  record.frame = frame.number;
  const auto failed = [&record](const std::exception& error) {
    record.status = FrameStatus::failed;
    record.error = error.what();
  };
  try {
    segment(frame, plan, folder, processes, record);
  } catch (const InputError& error) {
    failed(error);
  } catch (const AgreedError& error) {
    failed(error);
  } catch (const std::exception& error) {  // whatever it is, the other frames go on
    if (processes.size() > 1) throw;       // unless other processes wait for this one
    failed(error);
  }
  return record;
}

}  // namespace roadplane
