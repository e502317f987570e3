#include "roadplane/pipeline/segment_frame.hpp"

#include <fmt/format.h>

#include "frame_files.hpp"
#include "frame_ground.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/base/stopwatch.hpp"
#include "roadplane/kitti/frame_pose.hpp"
#include "roadplane/pipeline/frame_path.hpp"
#include "roadplane/pipeline/frame_truth.hpp"
#include "roadplane/pipeline/segment_scan.hpp"

namespace roadplane {
namespace {

/// The hosted agents' points. If a process cannot read its own, or they see different scans, all
/// throw.
ScanShare read_share(const kitti::Frame& frame, const SegmentPlan& plan,
                     const ProcessGroup& processes, const Channel& channel) {
  ScanShare share;
  processes.run_together([&] {
    share = kitti::load_share(frame, plan.shards, plan.network.agents(), plan.seed,
                              channel.hosted().front(), channel.hosted_count());
    return fmt::format("{}: {} points (checksum {:016x})", frame.scan.string(), share.scan_points,
                       share.checksum);
  });
  return share;
}

/// Where the sensor was, and what is wrong with the file that says so, if anything.
struct KnownPose {
  std::optional<Eigen::Isometry3d> pose;
  std::string error;
};

/// All processes have the same, else all throw.
KnownPose read_pose(const kitti::Frame& frame, const ProcessGroup& processes) {
  KnownPose known;
  processes.run_together([&] {
    try {
      known.pose = kitti::load_pose(frame);
    } catch (const InputError& error) {
      known.error = error.what();
    }
    std::string text = frame.name() + ": pose " + known.error;
    if (known.pose) {
      const Eigen::Matrix4d& pose = known.pose->matrix();
      for (const double number : std::span(pose.data(), 16)) text += fmt::format(" {:a}", number);
    }
    return text;
  });
  return known;
}

/// Labels, and residuals if they are kept, of the whole scan for the leader, who writes and scores
/// them; nothing for the others.
PointLabels collect(const ProcessGroup& processes, const ScanShare& share, PointLabels own,
                    Residuals residuals) {
  if (processes.size() == 1) return own;
  PointLabels all;
  if (residuals == Residuals::kept) {
    all.residuals = processes.gather<float>(share.positions, own.residuals, share.scan_points);
  }
  all.road = processes.gather<std::uint8_t>(share.positions, own.road, share.scan_points);
  return all;
}

/// The leader takes in the whole scan only where it is drawn or compared with a truth; nobody else
/// ever does.
ScanShare whole_scan(const kitti::Frame& frame, const SegmentPlan& plan,
                     const ProcessGroup& processes, ScanShare share) {
  if (processes.size() == 1) return share;
  if (!plan.save.needs_points() && !wants_truth(frame, plan.truth)) return {};
  const int agents = plan.network.agents();
  return kitti::load_share(frame, plan.shards, agents, plan.seed, 0, agents);
}

/// What a step that may find something beside the scan to be bad makes of a record.
FrameRecord may_be_incomplete(FrameRecord record, const auto& step) {
  try {
    step(record);
  } catch (const std::exception& error) {
    return with_error(std::move(record), FrameStatus::incomplete, reason_of(error));
  }
  return record;
}

/// Throws if the scan cannot be read; all processes do then.
FrameRecord segment(const kitti::Frame& frame, const SegmentPlan& plan,
                    const std::filesystem::path& folder, const ProcessGroup& processes,
                    FrameTrack* track) {
  // Every agent's points are read by the process that hosts it.
  Stopwatch watch;
  const auto channel = processes.make_channel(plan.network);
  ScanShare share = read_share(frame, plan, processes, *channel);
  FrameRecord record = record_of(frame, share.scan_points);
  KnownPose known;
  if (track != nullptr) {
    known = read_pose(frame, processes);
    track->come_to(frame, known.pose);
  }
  record.ms.load = watch.lap_ms();

  // The agents agree on the plane and label their points. Only a score reads the residuals.
  const auto residuals = wants_truth(frame, plan.truth) ? Residuals::kept : Residuals::left_out;
  Segmentation found =
      segment_points(share.points, share.shards, std::move(record), frame, plan, *channel,
                     residuals, track != nullptr ? PlaneFinder(std::ref(*track)) : nullptr);
  record = std::move(found.record);
  if (!known.error.empty()) {
    record = with_error(std::move(record), FrameStatus::incomplete, known.error);
  }
  if (record.status == FrameStatus::failed) return record;  // everywhere
  watch.lap_ms();
  std::uint64_t inliers = record.inliers;
  processes.all_reduce_sum({&inliers, 1});
  record.inliers = inliers;
  const PointLabels labels = collect(processes, share, std::move(found.labels), residuals);
  record.ms.label += watch.lap_ms();
  if (plan.save.relief) found.reliefs = observe_reliefs(*channel, found.reliefs);
  if (!processes.leads()) return record;

  // Compare with the truth where there is one, write labels, pictures and clouds.
  ScanShare whole;
  std::vector<std::uint8_t> truth_mask;
  std::vector<double> trace_errors;
  record = may_be_incomplete(std::move(record), [&](FrameRecord& r) {
    whole = whole_scan(frame, plan, processes, std::move(share));
    auto truth = find_truth(frame, whole.points, plan.truth, plan.target, plan.scoring);
    if (!truth) return;
    r.score = score_of(found.consensus, labels, *truth);
    truth_mask = std::move(truth->mask);
    if (plan.save.trace) trace_errors = recovery_errors(found.trace, truth->hyperplane);
  });
  watch.lap_ms();
  record = may_be_incomplete(std::move(record), [&](FrameRecord& r) {
    write_frame_files({frame, r, found.trace, trace_errors, whole.points, whole.shards, labels.road,
                       truth_mask, found.reliefs},
                      plan, folder);
  });
  record.ms.draw = watch.lap_ms();
  return record;
}

}  // namespace

FrameRecord segment_frame(const kitti::Frame& frame, const SegmentPlan& plan,
                          const std::filesystem::path& folder, const ProcessGroup& processes,
                          FrameTrack* track) {
  const auto failed = [&frame](const std::exception& error) {
    return with_error(record_of(frame, 0), FrameStatus::failed, reason_of(error));
  };
  try {
    return segment(frame, plan, folder, processes, track);
  } catch (const InputError& error) {
    return failed(error);
  } catch (const AgreedError& error) {
    return failed(error);
  } catch (const std::exception& error) {  // whatever it is, the other frames go on
    if (processes.size() > 1) throw;       // unless other processes wait for this one
    return failed(error);
  }
}

std::filesystem::path label_path(const std::filesystem::path& folder, const kitti::Frame& frame) {
  return folder / "sequences" / frame.sequence / "predictions" / (frame.stem() + ".label");
}

void follow_frame(const kitti::Frame& frame, const SegmentPlan& plan, const ProcessGroup& processes,
                  FrameTrack& track) {
  const auto channel = processes.make_channel(plan.network);
  try {
    const ScanShare share = read_share(frame, plan, processes, *channel);
    track.come_to(frame, read_pose(frame, processes).pose);
    track(*channel, hosted_clouds(share.points, share.shards, plan, *channel), plan.plane);
  } catch (const InputError&) {  // it has failed before, too
  } catch (const AgreedError&) {
  } catch (const std::exception&) {
    if (processes.size() > 1) throw;
  }
}

}  // namespace roadplane
