#include "roadplane/pipeline/rig.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "roadplane/base/input_error.hpp"

namespace roadplane {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;
constexpr double kMostErrorDeg = 80;  ///< of an extrinsic against the road
/// By so much two good LiDARs may differ because a road is no plane: its camber, two lanes.
constexpr double kLeastDeg = 0.5;
constexpr double kLeastM = 0.03;

using Verdict = LidarCheck::Verdict;

/// A plane in the vehicle's frame and how well it is known.
struct Seen {
  Plane plane;
  double tilt_deg = 0;  ///< half widths
  double height_m = 0;
};

double half_width(const std::optional<Interval>& interval) {
  return interval ? 0.5 * (interval->high - interval->low) : 0;
}

Plane moved(const Plane& own, const Eigen::Isometry3d& to_vehicle) {
  const Eigen::Vector3d normal = to_vehicle.linear() * own.normal;
  return {normal, own.offset_m - normal.dot(to_vehicle.translation())};
}

double angle_deg(const Plane& a, const Plane& b) {
  return kDegrees * std::atan2(a.normal.cross(b.normal).norm(), a.normal.dot(b.normal));
}

double height_of(const Eigen::Vector3d& place, const Plane& plane) {
  return plane.normal.dot(place) + plane.offset_m;
}

/// As the LiDAR at a place sees it: a plane's tilt makes its height there less certain.
double height_half_width(const Seen& seen, const Eigen::Vector3d& place) {
  return std::hypot(seen.height_m, place.head<2>().norm() * seen.tilt_deg / kDegrees);
}

/// Whether two LiDARs see the same road, as far as their intervals and its shape tell.
bool fit(const Seen& a, const Seen& b, const Eigen::Vector3d& place) {
  const double tilt = std::hypot(a.tilt_deg, b.tilt_deg);
  const double height = std::hypot(height_half_width(a, place), height_half_width(b, place));
  return angle_deg(a.plane, b.plane) <= std::max(kLeastDeg, tilt) &&
         std::abs(height_of(place, a.plane) - height_of(place, b.plane)) <=
             std::max(kLeastM, height);
}

Seen mean_of(std::span<const Seen> all) {
  Seen mean{{Eigen::Vector3d::Zero(), 0}, 0, 0};
  for (const Seen& each : all) {
    mean.plane.normal += each.plane.normal;
    mean.plane.offset_m += each.plane.offset_m / static_cast<double>(all.size());
    mean.tilt_deg += each.tilt_deg * each.tilt_deg;
    mean.height_m += each.height_m * each.height_m;
  }
  mean.plane.normal.normalize();
  mean.tilt_deg = std::sqrt(mean.tilt_deg) / static_cast<double>(all.size());
  mean.height_m = std::sqrt(mean.height_m) / static_cast<double>(all.size());
  return mean;
}

/// About the LiDAR itself, as far as its extrinsic says: so the road is below it, also where it is
/// mounted upside down or on its side.
Scan levelled(const RigScan& scan) {
  const Eigen::Matrix3f turn = scan.extrinsic.to_vehicle().linear().cast<float>();
  Scan turned(scan.points.begin(), scan.points.end());
  for (Point& p : turned) {
    const Eigen::Vector3f at = turn * Eigen::Vector3f(p.x, p.y, p.z);
    p = {at.x(), at.y(), at.z(), p.reflectance};
  }
  return turned;
}

/// Fills in what a LiDAR sees by itself.
LidarCheck look(const RigScan& scan, const SegmentPlan& alone, Seen& seen) {
  LidarCheck check;
  check.name = scan.name;
  check.corrected = scan.extrinsic;
  try {
    const Scan points = levelled(scan);
    const Segmentation found = segment_scan(points, alone, scan.name);
    const Eigen::Isometry3d to_vehicle = scan.extrinsic.to_vehicle();
    check.note = found.record.note;
    check.own = found.record.plane;
    check.own.normal = to_vehicle.linear().transpose() * check.own.normal;
    seen = {moved(check.own, to_vehicle), half_width(found.record.tilt_deg_95),
            half_width(found.record.height_m_95)};
    if (found.record.status == FrameStatus::ok) check.verdict = Verdict::reference;
  } catch (const InputError& error) {
    check.note = error.what();
  }
  return check;
}

void compare(LidarCheck& check, const RigScan& scan, const Seen& seen, const Seen& road) {
  const Eigen::Vector3d& place = scan.extrinsic.place_m;
  const double tilt = std::hypot(seen.tilt_deg, road.tilt_deg);
  check.corrected = scan.extrinsic.turned_to(check.own.normal, road.plane.normal);
  check.angle_deg = {angle_deg(seen.plane, road.plane), tilt};
  check.roll_deg = {check.corrected.roll_deg - scan.extrinsic.roll_deg, tilt};
  check.pitch_deg = {check.corrected.pitch_deg - scan.extrinsic.pitch_deg, tilt};
  check.z_m = {(check.own.offset_m - height_of(place, road.plane)) / road.plane.normal.z(),
               std::hypot(seen.height_m, height_half_width(road, place))};
  check.corrected.place_m.z() += check.z_m.value;
}

bool differs(const LidarCheck& check) {
  return check.angle_deg.value > std::max(kLeastDeg, check.angle_deg.half_width) ||
         std::abs(check.z_m.value) > std::max(kLeastM, check.z_m.half_width);
}

/// Those that fit the one which most of them fit.
std::vector<std::size_t> largest_party(std::span<const RigScan> scans,
                                       std::span<const LidarCheck> checks,
                                       std::span<const Seen> seen) {
  std::vector<std::size_t> best;
  double best_cosine = -1;
  for (std::size_t i = 0; i < checks.size(); ++i) {
    if (checks[i].verdict == Verdict::no_plane) continue;
    std::vector<std::size_t> party;
    for (std::size_t k = 0; k < checks.size(); ++k) {
      if (checks[k].verdict == Verdict::no_plane) continue;
      if (i == k || fit(seen[i], seen[k], scans[k].extrinsic.place_m)) party.push_back(k);
    }
    const double cosine = seen[i].plane.normal.z();
    const bool better =
        party.size() > best.size() || (party.size() == best.size() && cosine > best_cosine);
    if (!better) continue;
    best = party;
    best_cosine = cosine;
  }
  return best;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

/// Of independent moments; their spread counts where it is wider than what each of them says.
Measured combined(const std::vector<Measured>& all) {
  std::vector<double> values;
  double squares = 0;
  for (const Measured& each : all) {
    values.push_back(each.value);
    squares += each.half_width * each.half_width;
  }
  const auto count = static_cast<double>(all.size());
  const double middle = median(values);
  double spread = 0;
  for (const double value : values) spread += (value - middle) * (value - middle);
  constexpr double kNormal95 = 1.96;
  const double seen = all.size() > 1 ? kNormal95 * std::sqrt(spread / (count - 1) / count) : 0;
  return {middle, std::max(seen, std::sqrt(squares) / count)};
}

SegmentConfig with_agents(SegmentConfig config, std::size_t agents) {
  config.agents = static_cast<int>(agents);
  config.topology = "complete";
  return config;
}

}  // namespace

std::string_view to_string(LidarCheck::Verdict verdict) {
  switch (verdict) {
    case Verdict::fits:
      return "fits";
    case Verdict::differs:
      return "differs";
    case Verdict::reference:
      return "reference";
    case Verdict::no_plane:
      return "no plane";
  }
  return "?";
}

std::vector<LidarCheck> check_rig(std::span<const RigScan> scans, const SegmentConfig& config) {
  // Each LiDAR looks at its own points, and at nobody else's.
  SegmentConfig own = with_agents(config, 1);
  own.surface = to_string(Surface::plane);  // it is planes that are compared
  own.max_tilt_deg = kMostErrorDeg;
  const SegmentPlan alone(own);
  std::vector<LidarCheck> checks;
  std::vector<Seen> seen(scans.size());
  for (std::size_t k = 0; k < scans.size(); ++k) checks.push_back(look(scans[k], alone, seen[k]));

  // What they tell each other is a plane and two half widths. One that fits the others is compared
  // with the mean of the others, itself left out.
  const std::vector<std::size_t> party = largest_party(scans, checks, seen);
  for (std::size_t k = 0; k < scans.size() && !party.empty(); ++k) {
    if (checks[k].verdict == Verdict::no_plane) continue;
    std::vector<Seen> others;
    for (const std::size_t i : party) {
      if (i != k) others.push_back(seen[i]);
    }
    if (others.empty()) continue;  // the reference
    compare(checks[k], scans[k], seen[k], mean_of(others));
    checks[k].verdict = differs(checks[k]) ? Verdict::differs : Verdict::fits;
  }
  return checks;
}

std::vector<LidarCheck> combined(std::span<const std::vector<LidarCheck>> moments,
                                 std::span<const RigScan> scans) {
  std::vector<LidarCheck> result;
  for (std::size_t k = 0; k < scans.size(); ++k) {
    std::vector<Measured> angle;
    std::vector<Measured> roll;
    std::vector<Measured> pitch;
    std::vector<Measured> z;
    LidarCheck last = moments.front()[k];
    for (const std::vector<LidarCheck>& moment : moments) {
      const LidarCheck& check = moment[k];
      if (check.verdict == Verdict::no_plane) continue;
      if (check.verdict == Verdict::reference) {  // in this moment nothing was measured
        if (angle.empty()) last = check;
        continue;
      }
      last = check;
      angle.push_back(check.angle_deg);
      roll.push_back(check.roll_deg);
      pitch.push_back(check.pitch_deg);
      z.push_back(check.z_m);
    }
    if (!angle.empty()) {
      last.angle_deg = combined(angle);
      last.roll_deg = combined(roll);
      last.pitch_deg = combined(pitch);
      last.z_m = combined(z);
      last.corrected = scans[k].extrinsic;
      last.corrected.roll_deg += last.roll_deg.value;
      last.corrected.pitch_deg += last.pitch_deg.value;
      last.corrected.place_m.z() += last.z_m.value;
      last.verdict = differs(last) ? Verdict::differs : Verdict::fits;
    }
    result.push_back(std::move(last));
  }
  return result;
}

Segmentation segment_rig(std::span<const RigScan> scans, std::span<const LidarCheck> checks,
                         const SegmentConfig& config, const std::string& name) {
  Scan all;
  Shards shards;
  shards.begins.push_back(0);
  for (std::size_t k = 0; k < scans.size(); ++k) {
    const bool differs = checks[k].verdict == Verdict::differs;
    const Extrinsic& extrinsic = differs ? checks[k].corrected : scans[k].extrinsic;
    const Eigen::Isometry3f to_vehicle = extrinsic.to_vehicle().cast<float>();
    for (const Point& p : scans[k].points) {
      const Eigen::Vector3f own(p.x, p.y, p.z);
      // What is missing stays missing.
      const Eigen::Vector3f at = own.isZero(0) ? own : Eigen::Vector3f(to_vehicle * own);
      shards.order.push_back(static_cast<std::uint32_t>(all.size()));
      all.push_back({at.x(), at.y(), at.z(), p.reflectance});
    }
    shards.begins.push_back(static_cast<std::uint32_t>(all.size()));
  }
  const SegmentPlan plan(with_agents(config, scans.size()));
  kitti::Frame frame;
  frame.scan = name;
  LocalChannel channel(plan.network);
  Segmentation found = segment_points({frame, all, shards, all.size()}, plan, channel);
  found.record.name = name;
  if (!found.why_none.empty()) throw InputError(name, "points that hold a plane", found.why_none);
  return found;
}

}  // namespace roadplane
