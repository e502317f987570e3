#include "roadplane/pipeline/extrinsic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace roadplane {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;

/// What is to be added to an angle, the short way round.
double turn_deg(double from, double to) { return std::remainder(to - from, 360.0); }

}  // namespace

Extrinsic Extrinsic::of(const Eigen::Isometry3d& to_vehicle) {
  const Eigen::Matrix3d r = to_vehicle.linear();
  Extrinsic extrinsic;
  extrinsic.place_m = to_vehicle.translation();
  extrinsic.pitch_deg = kDegrees * std::atan2(-r(2, 0), std::hypot(r(2, 1), r(2, 2)));
  extrinsic.roll_deg = kDegrees * std::atan2(r(2, 1), r(2, 2));
  extrinsic.yaw_deg = kDegrees * std::atan2(r(1, 0), r(0, 0));
  return extrinsic;
}

Eigen::Isometry3d Extrinsic::to_vehicle() const {
  return Eigen::Translation3d(place_m) *
         Eigen::AngleAxisd(yaw_deg / kDegrees, Eigen::Vector3d::UnitZ()) *
         Eigen::AngleAxisd(pitch_deg / kDegrees, Eigen::Vector3d::UnitY()) *
         Eigen::AngleAxisd(roll_deg / kDegrees, Eigen::Vector3d::UnitX());
}

/// Ry(pitch) Rx(roll) own = Rz(-yaw) road, first solved for the roll by the y of both sides.
Extrinsic Extrinsic::turned_to(const Eigen::Vector3d& own, const Eigen::Vector3d& road) const {
  const Eigen::Vector3d wanted =
      Eigen::AngleAxisd(-yaw_deg / kDegrees, Eigen::Vector3d::UnitZ()) * road;
  const double reach = std::hypot(own.y(), own.z());
  const double base = std::atan2(own.z(), own.y());
  const double swing = std::acos(std::clamp(wanted.y() / std::max(reach, 1e-12), -1.0, 1.0));
  Extrinsic best = *this;
  double least = std::numeric_limits<double>::infinity();
  for (const double sign : {-1.0, 1.0}) {
    const double roll = sign * swing - base;
    const double z = own.y() * std::sin(roll) + own.z() * std::cos(roll);
    const double pitch = std::atan2(wanted.x(), wanted.z()) - std::atan2(own.x(), z);
    const double d_roll = turn_deg(roll_deg, kDegrees * roll);
    const double d_pitch = turn_deg(pitch_deg, kDegrees * pitch);
    if (std::hypot(d_roll, d_pitch) >= least) continue;
    least = std::hypot(d_roll, d_pitch);
    best.roll_deg = roll_deg + d_roll;
    best.pitch_deg = pitch_deg + d_pitch;
  }
  return best;
}

}  // namespace roadplane
