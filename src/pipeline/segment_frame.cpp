#include "roadplane/pipeline/segment_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

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

/// What is known of all agents' labels.
struct Gathered {
  std::uint64_t road_points = 0;  ///< to everybody
  PointLabels labels;             ///< to the leader, who writes and scores them: of the whole scan
  std::vector<Relief> reliefs;    ///< of all agents, where they are saved
};

Gathered gather(const ProcessGroup& processes, const Channel& channel, const ScanShare& share,
                Segmentation& found, const SegmentPlan& plan, Residuals residuals) {
  Gathered all{found.record.inliers, {}, {}};
  processes.all_reduce_sum({&all.road_points, 1});
  PointLabels& own = found.labels;
  if (processes.size() == 1) {
    all.labels = std::move(own);
  } else {
    if (residuals == Residuals::kept) {
      all.labels.residuals =
          processes.gather<float>(share.positions, own.residuals, share.scan_points);
    }
    all.labels.road = processes.gather<std::uint8_t>(share.positions, own.road, share.scan_points);
  }
  if (plan.save.relief) all.reliefs = observe_reliefs(channel, found.reliefs);
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

/// The record with how wide the road is.
FrameRecord with_widths(FrameRecord record, const RoadEdges& edges) {
  for (const RoadWidth& width : edges.widths) {
    const auto place = std::ranges::find(RoadEdges::kWidthsAtM, width.at_m);
    const auto k = static_cast<std::size_t>(place - std::begin(RoadEdges::kWidthsAtM));
    record.road_width[k] = FrameWidth{width.width_m, width.spread_m};
  }
  return record;
}

/// What is wrong beside the scan, where a step says so by throwing.
std::string trouble_of(const auto& step) {
  try {
    step();
  } catch (const std::exception& error) {
    return reason_of(error);
  }
  return "";
}

/// The whole scan and what it is compared with, where there is something.
struct Scored {
  ScanShare whole;
  std::optional<FrameScore> score;
  std::vector<std::uint8_t> truth;   ///< of every point; empty if unknown
  std::vector<double> trace_errors;  ///< of the trace's entries, where it is saved
  std::string trouble;               ///< with the truth; empty if none
};

Scored score_against_truth(const kitti::Frame& frame, const SegmentPlan& plan,
                           const ProcessGroup& processes, ScanShare share,
                           const Segmentation& found, const PointLabels& labels) {
  Scored scored;
  scored.trouble = trouble_of([&] {
    scored.whole = whole_scan(frame, plan, processes, std::move(share));
    auto truth = find_truth(frame, scored.whole.points, plan.truth, plan.target, plan.scoring);
    if (!truth) return;
    scored.score = score_of(found.consensus, labels, *truth);
    scored.truth = std::move(truth->mask);
    if (plan.save.trace) scored.trace_errors = recovery_errors(found.trace, truth->hyperplane);
  });
  return scored;
}

/// What came out, and what was wrong beside the scan; of several things the first one is told.
FrameRecord with_troubles(FrameRecord record, std::initializer_list<std::string_view> troubles) {
  for (const std::string_view trouble : troubles) {
    if (trouble.empty()) continue;
    record = with_error(std::move(record), FrameStatus::incomplete, std::string(trouble));
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
  const KnownPose known = track != nullptr ? read_pose(frame, processes) : KnownPose{};
  if (track != nullptr) track->come_to(frame, known.pose);

  // The agents agree on the plane and label their points. Only a score reads the residuals.
  const auto residuals = wants_truth(frame, plan.truth) ? Residuals::kept : Residuals::left_out;
  Segmentation found = segment_points(
      {frame, share.points, share.shards, share.scan_points, watch.lap_ms()}, plan, *channel,
      residuals, track != nullptr ? PlaneFinder(std::ref(*track)) : nullptr);
  if (found.record.status == FrameStatus::failed) {  // everywhere
    return with_troubles(std::move(found.record), {known.error});
  }
  watch.lap_ms();
  const Gathered all = gather(processes, *channel, share, found, plan, residuals);
  const double gathering_ms = watch.lap_ms();
  if (!processes.leads()) return found.record;

  // Compare with the truth where there is one, write labels, pictures and clouds.
  const Scored scored =
      score_against_truth(frame, plan, processes, std::move(share), found, all.labels);
  watch.lap_ms();
  std::optional<SeenRoad> view;  // an observer's: the labels of all agents at one place
  if (plan.surface == Surface::road && plan.save.needs_points() && !scored.whole.points.empty()) {
    view.emplace(scored.whole.points, all.labels.road, found.consensus.mean);
    found.record = with_widths(std::move(found.record), view->edges);
  }
  const std::string bad_file = trouble_of([&] {
    write_frame_files(
        {frame, found.record, scored.score, found.trace, scored.trace_errors, scored.whole.points,
         scored.whole.shards, all.labels.road, scored.truth, all.reliefs, view ? &*view : nullptr},
        plan, folder);
  });

  FrameRecord record =
      with_troubles(std::move(found.record), {known.error, scored.trouble, bad_file});
  record.inliers = all.road_points;
  record.score = scored.score;
  record.ms.label += gathering_ms;
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
