#include "frame_ground.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "roadplane/ground/road.hpp"

namespace roadplane {
namespace {

/// What an agent knows of its ground, so that it can be added up.
struct Summary {
  double low_m = std::numeric_limits<double>::infinity();
  double high_m = -std::numeric_limits<double>::infinity();
  double points = 0;
  double spread_m = 0;  ///< times points
  double limit_m = 0;   ///< times points

  static constexpr int kWidth = 5;
};

Summary summary_of(const Relief& relief) {
  Summary s;
  for (const Relief::Cell& cell : relief.cells) {
    if (cell.points == 0 || cell.limit_m <= 0) continue;
    s.low_m = std::min<double>(s.low_m, cell.height_m);
    s.high_m = std::max<double>(s.high_m, cell.height_m);
    s.points += cell.points;
    s.spread_m += static_cast<double>(cell.points) * cell.spread_m;
    s.limit_m += static_cast<double>(cell.points) * cell.limit_m;
  }
  return s;
}

Summary observe_summary(const Channel& channel, std::span<const Relief> hosted) {
  std::vector<double> own;
  for (const Relief& relief : hosted) {
    const Summary s = summary_of(relief);
    own.insert(own.end(), {s.low_m, s.high_m, s.points, s.spread_m, s.limit_m});
  }
  std::vector<double> all(static_cast<std::size_t>(channel.network().agents()) * Summary::kWidth);
  channel.observe(own, Summary::kWidth, all);
  Summary sum;
  for (std::size_t k = 0; k < all.size(); k += Summary::kWidth) {
    sum.low_m = std::min(sum.low_m, all[k]);
    sum.high_m = std::max(sum.high_m, all[k + 1]);
    sum.points += all[k + 2];
    sum.spread_m += all[k + 3];
    sum.limit_m += all[k + 4];
  }
  return sum;
}

/// Why nobody should believe that this is the road; empty if there is no reason.
std::string doubt_of(const RoadExtent& road) {
  constexpr double kLeastM2 = 20, kMostM2 = 4000;  // half of all that lies within 50 m
  constexpr double kLeastNear = 0.2;
  if (road.area_m2 < kLeastM2 || road.area_m2 > kMostM2) {
    return fmt::format("a road of {:.0f} m2 is implausible", road.area_m2);
  }
  if (road.near_share < kLeastNear) return "no road below the sensor";
  return "";
}

}  // namespace

Ground label_share(Channel& channel, const PointRows& points, const Shards& shards,
                   std::span<const Eigen::Vector4d> hyperplanes, const SegmentPlan& plan,
                   Residuals residuals) {
  if (plan.surface == Surface::road) {
    thread_local RoadFinder find;  // its memory serves all frames of a job
    return find(channel, points, shards, hyperplanes, plan.limit, residuals);
  }
  if (plan.surface == Surface::relief) {
    thread_local GroundFinder find;  // its memory serves all frames of a job
    return find(channel, points, shards, hyperplanes, plan.limit, residuals);
  }
  Ground ground;
  ground.labels = label_points(points, shards, hyperplanes, plan.threshold, residuals);
  return ground;
}

std::vector<Relief> observe_reliefs(const Channel& channel, std::span<const Relief> hosted) {
  constexpr int kFields = 5;
  constexpr int kWidth = kFields * ReliefGrid::kCells;
  std::vector<double> own;
  own.reserve(hosted.size() * kWidth);
  for (const Relief& relief : hosted) {
    for (int k = 0; k < ReliefGrid::kCells; ++k) {
      const Relief::Cell c = relief.at(k);
      own.insert(own.end(),
                 {c.height_m, c.deviation_m, c.limit_m, c.spread_m, static_cast<double>(c.points)});
    }
  }
  const auto agents = static_cast<std::size_t>(channel.network().agents());
  std::vector<double> rows(agents * kWidth);
  channel.observe(own, kWidth, rows);
  std::vector<Relief> reliefs(agents);
  const double* field = rows.data();
  for (Relief& relief : reliefs) {
    for (int column = 0; column < ReliefGrid::kColumns; ++column) {
      relief.begins[column] = column * ReliefGrid::kRings + 1;
    }
    for (int k = 0; k < ReliefGrid::kCells; ++k, field += kFields) {
      relief.cells.push_back({static_cast<float>(field[0]), static_cast<float>(field[1]),
                              static_cast<float>(field[2]), static_cast<float>(field[3]),
                              static_cast<int>(field[4])});
    }
  }
  return reliefs;
}

FrameRecord with_ground(FrameRecord record, const Channel& channel, const Ground& ground,
                        const Traffic& sent, const SegmentPlan& plan) {
  record.target = to_string(plan.target);
  record.threshold = plan.threshold.to_string();
  record.threshold_value = plan.threshold.value;
  record.rounds += sent.rounds;
  record.messages += sent.messages(channel.network().graph);
  record.bytes_per_agent += sent.bytes_per_agent(channel.network().graph);
  if (plan.surface == Surface::plane) return record;
  const Summary sum = observe_summary(channel, ground.reliefs);
  record.relief = FrameRelief{};
  if (sum.points > 0) record.relief = {sum.low_m, sum.high_m, sum.spread_m / sum.points};
  if (ground.road) {
    if (const std::string doubt = doubt_of(*ground.road); !doubt.empty()) {
      record.note += (record.note.empty() ? "" : "; ") + doubt;
      record.status = std::max(record.status, FrameStatus::suspect);
    }
  }
  if (plan.limit) return record;
  record.threshold = "adaptive";
  record.threshold_value = sum.points > 0 ? sum.limit_m / sum.points : 0;
  return record;
}

}  // namespace roadplane
