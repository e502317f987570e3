#include "fleet_vehicle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "frame_files.hpp"
#include "frame_ground.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/dpcp/find_plane_near.hpp"
#include "roadplane/ground/relief.hpp"
#include "roadplane/pipeline/frame_path.hpp"
#include "roadplane/pipeline/frame_truth.hpp"
#include "surface_through.hpp"

namespace roadplane {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;
constexpr double kSteepest = 0.7;  // cosine: nobody drives on steeper ground

// A vehicle changes its mind only if the others are surer than a kerb is high, and if its own scan
// bears it out.
constexpr double kSurelyM = 0.04;      // [m] deviation of what the others say
constexpr double kAnotherM = 0.05;     // [m] and
constexpr double kAnotherDeg = 0.75;   // [deg] between grounds that are two,
constexpr double kTurnedDeg = 3;       // [deg] but for a pose that is wrong
constexpr double kSameM = 0.06;        // [m] and
constexpr double kSameDeg = 1.5;       // [deg] between those that are one
constexpr double kLeastSupport = 0.2;  // of the points that its first plane had
// A pose is wrong if it is so far off, and where roads bend also by so many times what poses of
// others usually are.
constexpr double kDoubtedM = 0.25;
constexpr double kDoubtedDeg = 1;
constexpr double kDoubtedTimes = 4;

constexpr double kQuantile = 1.96;       // of a Gaussian, 95 %
constexpr double kSigmas = 3;            // by which two heights of one ground may differ
constexpr double kLeastSpreadM = 0.005;  // [m] nobody is surer of a ground

// What is said of a place elsewhere.
constexpr double kAroundM = 4;  // [m] points that count
constexpr double kReachM = 45;  // [m] from the vehicle
constexpr std::size_t kLeastPoints = 8;
constexpr double kHalfWeightM = 20;  // [m] at which a view counts half

constexpr std::size_t kMostSeen = 20'000;  // points of a picture

/// n'p + d = 0 with a unit normal that points up.
Eigen::Vector4d numbers_of(const Plane& plane) {
  return {plane.normal.x(), plane.normal.y(), plane.normal.z(), plane.offset_m};
}

Eigen::Vector4d moved(const Eigen::Vector4d& plane, const Eigen::Isometry3d& pose) {
  const Eigen::Vector3d normal = pose.linear() * plane.head<3>();
  return {normal.x(), normal.y(), normal.z(), plane(3) - normal.dot(pose.translation())};
}

double angle_deg(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return kDegrees * std::atan2(a.cross(b).norm(), a.dot(b));
}

/// How a sensor is turned over ground with this normal in its frame.
double roll_deg(const Eigen::Vector3d& normal) {
  return kDegrees * std::atan2(normal.y(), normal.z());
}
double pitch_deg(const Eigen::Vector3d& normal) {
  return -kDegrees * std::atan2(normal.x(), std::hypot(normal.y(), normal.z()));
}

}  // namespace

FleetVehicle::FleetVehicle(const kitti::Fleet& fleet, std::size_t number, const std::string& moment,
                           const FleetPlan& plan, FrameTrack* track)
    : number_(number), plan_(plan) {
  record_.moment = moment;
  record_.vehicle = fleet.vehicles[number];
  record_.frame.sequence = record_.vehicle;
  record_.frame.name = record_.vehicle + "/" + moment;
  try {
    load(fleet, moment);
    find_alone(track);
  } catch (const std::exception& error) {  // whatever it is, the others go on
    record_.frame = with_error(std::move(record_.frame), FrameStatus::failed, reason_of(error));
  }
}

void FleetVehicle::load(const kitti::Fleet& fleet, const std::string& moment) {
  scan_ = kitti::read_vehicle(fleet, number_, moment);
  record_.frame = record_of(scan_.frame, scan_.points.size());
  record_.position = position();
  record_.bytes_scan = static_cast<double>(scan_.points.size() * sizeof(Point));
  if (scan_.points.empty()) throw InputError(scan_.frame.scan.string(), "points", "an empty scan");
  const SegmentPlan& plan = plan_.vehicle;
  const int agents = plan.network.agents();
  shards_ = make_shards(scan_.points, plan.shards, agents, plan.seed);
  clouds_ = clouds_of(scan_.points, shards_, {columns_enough(plan.plane, agents), 0});
  if (std::all_of(clouds_.begin(), clouds_.end(), [](const auto& c) { return c.empty(); }))
    throw InputError(scan_.frame.scan.string(), "points that are finite", "none");
  loaded_ = true;
}

void FleetVehicle::find_alone(FrameTrack* track) {
  LocalChannel alone(plan_.vehicle.network);
  if (track != nullptr) track->come_to(scan_.frame, std::nullopt);  // its pose is what we check
  PlaneFit fit = track != nullptr ? (*track)(alone, clouds_, plan_.vehicle.plane)
                                  : find_plane(alone, clouds_, plan_.vehicle.plane);
  if (track != nullptr) record_.frame.began = to_string(fit.began);
  if (why_no_plane(fit)) return;  // the others may know better
  take(std::move(fit));
  alone_ = plane_;
  record_.alone_height_m = plane_.offset_m;
}

void FleetVehicle::take(PlaneFit fit) {
  const auto plane = Plane::from_hyperplane(consensus_of(fit.w).mean);
  if (!plane) return;
  plane_ = *plane;
  fit_ = std::move(fit);
}

Eigen::Vector4d FleetVehicle::in_own_frame(const Eigen::Vector4d& ground) const {
  return moved(ground, scan_.pose.inverse());
}

std::optional<GroundView> FleetVehicle::view() const {
  if (!fit_) return std::nullopt;
  const Eigen::Vector4d plane = moved(numbers_of(plane_), scan_.pose);
  if (!(plane(2) > kSteepest)) return std::nullopt;
  Eigen::Vector3d place = position();
  place.z() = height_at(plane, place.x(), place.y());
  return GroundView{place, plane.head<3>()};
}

const std::vector<Eigen::Vector3d>& FleetVehicle::ground_points() {
  if (ground_known_) return ground_points_;
  ground_known_ = true;
  LocalChannel alone(plan_.vehicle.network);
  const Ground ground = find_ground(alone, scan_.points, shards_, fit_->w);
  for (std::size_t k = 0; k < scan_.points.size(); ++k) {
    const Point& p = scan_.points[k];
    if (ground.labels.road[k] != 0)
      ground_points_.emplace_back(scan_.pose * Eigen::Vector3d(p.x, p.y, p.z));
  }
  return ground_points_;
}

std::optional<GroundView> FleetVehicle::view_at(const Eigen::Vector3d& place) {
  const auto own = view();
  const double away_m = (place - position()).head<2>().norm();
  if (!own || away_m > kReachM) return std::nullopt;
  std::vector<Eigen::Vector3d> around;
  for (const Eigen::Vector3d& p : ground_points()) {
    const Eigen::Vector2d from = (p - place).head<2>();
    if (from.squaredNorm() < kAroundM * kAroundM)
      around.emplace_back(from.x(), from.y(), p.z() - place.z());
  }
  if (around.size() < kLeastPoints) return std::nullopt;
  const Eigen::Vector3d surface = surface_through(around, -own->normal.head<2>() / own->normal.z());
  if (!surface.allFinite()) return std::nullopt;
  const double ratio = away_m / kHalfWeightM;
  return GroundView{place + Eigen::Vector3d(0, 0, surface(0)),
                    Eigen::Vector3d(-surface(1), -surface(2), 1).normalized(),
                    1 / (1 + ratio * ratio)};
}

bool FleetVehicle::consider(const Eigen::Vector4d& ground, double spread_m) {
  const auto own = view();
  const bool good = own && !fit_->finding.suspect();
  if (good && std::abs(above_plane_m(*own, ground)) < kAnotherM &&
      angle_deg(own->normal, ground.head<3>()) < kAnotherDeg) {
    return false;
  }
  if (spread_m > kSurelyM) return false;
  if (own && angle_deg(own->normal, ground.head<3>()) > kTurnedDeg) return false;
  LocalChannel alone(plan_.vehicle.network);
  const Eigen::Vector4d there = in_own_frame(ground);
  PlaneFit fit = find_plane_near(alone, clouds_, plan_.vehicle.plane, there);
  if (why_no_plane(fit)) return false;
  const auto plane = Plane::from_hyperplane(consensus_of(fit.w).mean);
  if (!plane || angle_deg(plane->normal, there.head<3>()) > kSameDeg ||
      std::abs(plane->offset_m - there(3)) > kSameM) {
    return false;
  }
  if (own && fit.finding.support < kLeastSupport * fit_->finding.support) return false;
  if (fit.finding.has(Doubt::few_points)) return false;
  take(std::move(fit));
  ground_known_ = false;
  ground_points_.clear();
  record_.helped = true;
  return true;
}

/// A pose says how the ground that the others see would lie below the sensor.
void FleetVehicle::check_pose(const GroundView& own, const PlaceGround& ground) {
  record_.pose_high_m = above_plane_m(own, ground.plane);
  const Eigen::Matrix3d to_own = scan_.pose.linear().inverse();
  const Eigen::Vector3d seen = to_own * ground.plane.head<3>();
  const Eigen::Vector3d normal = to_own * own.normal;
  record_.pose_roll_deg = roll_deg(seen) - roll_deg(normal);
  record_.pose_pitch_deg = pitch_deg(seen) - pitch_deg(normal);
  const double tilt_deg = angle_deg(seen, normal);
  const double high_m = std::abs(record_.pose_high_m);
  const double apart_m = high_m + GroundAgreementOptions{}.radius_m * std::sin(tilt_deg / kDegrees);
  const bool wrong =
      ground.bent ? high_m > std::max(kDoubtedM, kDoubtedTimes * ground.usual_high_m) ||
                        tilt_deg > std::max(kDoubtedDeg, kDoubtedTimes * ground.usual_tilt_deg)
                  : apart_m > std::max(kDoubtedM, ground.scale_m);
  record_.pose_doubted = ground.views > 2 && wrong;
}

/// Where its own scan leaves its height open, the others' ground and its pose say more, each as
/// much as it is sure of it.
void FleetVehicle::weigh_with_others(const PlaceGround& ground) {
  Finding& finding = fit_->finding;
  if (ground.views < 3 || record_.pose_doubted || !finding.height_m || !finding.tilt_deg) return;
  const double own_m = (finding.height_m->high - finding.height_m->low) / 2 / kQuantile;
  const double others_m = std::hypot(ground.spread_m, kLeastSpreadM);
  const bool another = std::abs(record_.pose_high_m) > kSigmas * std::hypot(own_m, others_m);
  if (another) return;  // ground or pose: the two are not of one thing
  const double share = own_m * own_m / (own_m * own_m + others_m * others_m);
  const Eigen::Vector4d both =
      (1 - share) * numbers_of(plane_) + share * in_own_frame(ground.plane);
  const auto plane = Plane::from_hyperplane(both);
  if (!plane) return;
  plane_ = *plane;
  fit_->w.assign(fit_->w.size(), plane_.hyperplane());
  // The intervals become narrower by as much, and lie around the new values.
  const auto around = [&](double value, Interval& interval) {
    const double half = std::sqrt(1 - share) * (interval.high - interval.low) / 2;
    interval = {value - half, value + half};
  };
  around(plane_.offset_m, *finding.height_m);
  around(angle_deg(plane_.normal, Eigen::Vector3d::UnitZ()), *finding.tilt_deg);
  finding.tilt_deg->low = std::max(0.0, finding.tilt_deg->low);
}

void FleetVehicle::finish(const PlaceGround& ground, const Eigen::Vector4d& single,
                          const std::filesystem::path& folder) {
  try {
    record_.ground = ground.plane;
    record_.ground_z_m = height_at(ground.plane, position().x(), position().y());
    record_.spread_m = ground.spread_m;
    record_.single_ground = single;
    if (record_.alone_height_m != 0) record_.alone_ground = moved(numbers_of(alone_), scan_.pose);
    if (scan_.true_pose && scan_.true_ground) {
      record_.truth = GroundTruthAt{moved(numbers_of(*scan_.true_ground), *scan_.true_pose),
                                    scan_.true_pose->translation()};
    }
    if (!fit_) throw InputError(scan_.frame.scan.string(), "points that hold a plane", "none");
    if (const auto own = view()) check_pose(*own, ground);
    weigh_with_others(ground);
    record_.frame = with_fit(std::move(record_.frame), *fit_, plan_.vehicle.network);
    record_.frame = with_plane(std::move(record_.frame), consensus_of(fit_->w), scan_.frame);
    record_.roll_deg = roll_deg(plane_.normal);
    record_.pitch_deg = pitch_deg(plane_.normal);
    if (fit_->finding.tilt_deg) {
      const double tilt = angle_deg(plane_.normal, Eigen::Vector3d::UnitZ());
      record_.tilt_half_deg = fit_->finding.tilt_deg->high - tilt;
    }
    label(folder);
  } catch (const std::exception& error) {
    record_.frame = with_error(std::move(record_.frame), FrameStatus::failed, reason_of(error));
  }
}

void FleetVehicle::label(const std::filesystem::path& folder) {
  const SegmentPlan& plan = plan_.vehicle;
  LocalChannel alone(plan.network);
  const Ground ground = label_share(alone, scan_.points, shards_, fit_->w, plan, Residuals::kept);
  record_.frame = with_ground(std::move(record_.frame), alone, ground, {}, plan);
  record_.frame.inliers = ground.labels.count();
  if (plan_.save_label) write_label(folder, scan_.frame, ground.labels.road);
  try {
    const auto truth = find_truth(scan_.frame, scan_.points, "auto", plan.target, plan.scoring);
    if (truth) record_.frame.score = score_of(consensus_of(fit_->w), ground.labels, *truth);
  } catch (const InputError& error) {
    record_.frame = with_error(std::move(record_.frame), FrameStatus::incomplete, error.what());
  }
  labels_.assign(ground.labels.road.begin(), ground.labels.road.end());
}

std::vector<FleetVehicle::Seen> FleetVehicle::seen() const {
  std::vector<Seen> points;
  const std::size_t step = labels_.size() / kMostSeen + 1;
  for (std::size_t k = 0; k < labels_.size(); k += step) {
    const Point& p = scan_.points[k];
    const Eigen::Vector3d at = scan_.pose * Eigen::Vector3d(p.x, p.y, p.z);
    points.push_back({static_cast<float>(at.x()), static_cast<float>(at.y()), labels_[k] != 0});
  }
  return points;
}

}  // namespace roadplane
