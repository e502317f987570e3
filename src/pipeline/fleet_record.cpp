#include "roadplane/pipeline/fleet_record.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "roadplane/base/input_error.hpp"

namespace roadplane {
namespace {

using nlohmann::json;

json numbers(const Eigen::Ref<const Eigen::VectorXd>& v) {
  return std::vector<double>(v.data(), v.data() + v.size());
}

template <int N>
Eigen::Matrix<double, N, 1> vector_of(const json& entry) {
  Eigen::Matrix<double, N, 1> v;
  // What is not a number has become null on the way.
  for (int r = 0; r < N; ++r)
    v(r) = entry.at(static_cast<std::size_t>(r)).is_null()
               ? NAN
               : entry.at(static_cast<std::size_t>(r)).get<double>();
  return v;
}

double number_of(const json& entry) { return entry.is_null() ? NAN : entry.get<double>(); }

json truth_json(const std::optional<GroundTruthAt>& truth) {
  if (!truth) return nullptr;
  return {{"plane", numbers(truth->plane)}, {"position", numbers(truth->position)}};
}

std::optional<GroundTruthAt> truth_from(const json& entry) {
  if (entry.is_null()) return std::nullopt;
  return GroundTruthAt{vector_of<4>(entry.at("plane")), vector_of<3>(entry.at("position"))};
}

void add(double& sum, double error) { sum += error * error; }

void take_root(FleetErrors::Of& sums, int count) {
  for (double* sum : {&sums.fleet, &sums.alone, &sums.single})
    *sum = std::sqrt(*sum / std::max(count, 1));
}

}  // namespace

double height_at(const Eigen::Vector4d& plane, double x, double y) {
  return -(plane(0) * x + plane(1) * y + plane(3)) / plane(2);
}

GroundError GroundTruthAt::error_of(const Eigen::Vector4d& other) const {
  const Eigen::Vector3d a = other.head<3>();
  const Eigen::Vector3d b = plane.head<3>();
  return {
      height_at(other, position.x(), position.y()) - height_at(plane, position.x(), position.y()),
      std::atan2(a.cross(b).norm(), a.dot(b)) * 180 / std::numbers::pi};
}

FleetErrors errors_of(const MomentRecord& record) {
  constexpr double kNearM = 20;
  constexpr double kFarM = 60;
  FleetErrors errors;
  for (const VehicleRecord& v : record.vehicles) {
    if (!v.truth || v.alone_ground.isZero()) continue;
    ++errors.vehicles;
    const GroundError fleet = v.truth->error_of(v.ground);
    const GroundError alone = v.truth->error_of(v.alone_ground);
    const GroundError single = v.truth->error_of(v.single_ground);
    add(errors.height_m.fleet, fleet.height_m);
    add(errors.height_m.alone, alone.height_m);
    add(errors.height_m.single, single.height_m);
    add(errors.angle_deg.fleet, fleet.angle_deg);
    add(errors.angle_deg.alone, alone.angle_deg);
    add(errors.angle_deg.single, single.angle_deg);
    for (const VehicleRecord& other : record.vehicles) {
      if (!other.truth || other.part != v.part) continue;
      const double away_m = (other.truth->position - v.truth->position).head<2>().norm();
      if (away_m < kNearM || away_m > kFarM) continue;
      ++errors.pairs_ahead;
      add(errors.ahead_m.fleet, other.truth->error_of(other.ground).height_m);
      add(errors.ahead_m.alone, other.truth->error_of(v.alone_ground).height_m);
      add(errors.ahead_m.single, other.truth->error_of(v.single_ground).height_m);
    }
  }
  take_root(errors.height_m, errors.vehicles);
  take_root(errors.angle_deg, errors.vehicles);
  take_root(errors.ahead_m, errors.pairs_ahead);
  return errors;
}

json to_json(const VehicleRecord& r) {
  json record = {{"moment", r.moment},
                 {"vehicle", r.vehicle},
                 {"part", r.part},
                 {"neighbours", r.neighbours},
                 {"position", numbers(r.position)},
                 {"alone_height_m", r.alone_height_m},
                 {"helped", r.helped},
                 {"roll_deg", r.roll_deg},
                 {"pitch_deg", r.pitch_deg},
                 {"tilt_half_deg", nullptr},
                 {"ground",
                  {{"plane", numbers(r.ground)},
                   {"z_m", r.ground_z_m},
                   {"spread_m", r.spread_m},
                   {"alone", numbers(r.alone_ground)},
                   {"single", numbers(r.single_ground)},
                   {"truth", truth_json(r.truth)}}},
                 {"pose",
                  {{"high_m", r.pose_high_m},
                   {"roll_deg", r.pose_roll_deg},
                   {"pitch_deg", r.pose_pitch_deg},
                   {"doubted", r.pose_doubted}}},
                 {"bytes_scan", r.bytes_scan},
                 {"frame", to_json(r.frame)}};
  if (r.tilt_half_deg) record["tilt_half_deg"] = *r.tilt_half_deg;
  return record;
}

VehicleRecord vehicle_record_from_json(const json& j, const std::string& where) {
  try {
    VehicleRecord r;
    r.moment = j.at("moment");
    r.vehicle = j.at("vehicle");
    r.part = j.at("part");
    r.neighbours = j.at("neighbours").get<std::vector<std::string>>();
    r.position = vector_of<3>(j.at("position"));
    r.alone_height_m = number_of(j.at("alone_height_m"));
    r.helped = j.at("helped");
    r.roll_deg = number_of(j.at("roll_deg"));
    r.pitch_deg = number_of(j.at("pitch_deg"));
    if (!j.at("tilt_half_deg").is_null()) r.tilt_half_deg = j.at("tilt_half_deg");
    const json& ground = j.at("ground");
    r.ground = vector_of<4>(ground.at("plane"));
    r.ground_z_m = number_of(ground.at("z_m"));
    r.spread_m = number_of(ground.at("spread_m"));
    r.alone_ground = vector_of<4>(ground.at("alone"));
    r.single_ground = vector_of<4>(ground.at("single"));
    r.truth = truth_from(ground.at("truth"));
    const json& pose = j.at("pose");
    r.pose_high_m = number_of(pose.at("high_m"));
    r.pose_roll_deg = number_of(pose.at("roll_deg"));
    r.pose_pitch_deg = number_of(pose.at("pitch_deg"));
    r.pose_doubted = pose.at("doubted");
    r.bytes_scan = number_of(j.at("bytes_scan"));
    r.frame = record_from_json(j.at("frame"), where);
    return r;
  } catch (const json::exception& error) {
    throw InputError(where, "the record of a vehicle", error.what());
  }
}

json to_json(const PartRecord& r) {
  return {{"vehicles", r.vehicles},
          {"links", r.links},
          {"slem", r.slem},
          {"diameter", r.diameter},
          {"one_plane", r.one_plane},
          {"plane", numbers(r.plane)},
          {"spread_m", r.spread_m},
          {"tracked", r.tracked},
          {"iterations", r.iterations},
          {"rounds", r.rounds},
          {"bytes_per_vehicle", r.bytes_per_vehicle}};
}

PartRecord part_record_from_json(const json& j) {
  PartRecord r;
  r.vehicles = j.at("vehicles").get<std::vector<std::string>>();
  r.links = j.at("links");
  r.slem = number_of(j.at("slem"));
  r.diameter = j.at("diameter");
  r.one_plane = j.at("one_plane");
  r.plane = vector_of<4>(j.at("plane"));
  r.spread_m = number_of(j.at("spread_m"));
  r.tracked = j.at("tracked");
  r.iterations = j.at("iterations");
  r.rounds = j.at("rounds");
  r.bytes_per_vehicle = number_of(j.at("bytes_per_vehicle"));
  return r;
}

json to_json(const MomentRecord& r) {
  json parts = json::array();
  for (const PartRecord& part : r.parts) parts.push_back(to_json(part));
  json doubted = json::array();
  json failed = json::array();
  for (const VehicleRecord& vehicle : r.vehicles) {
    if (vehicle.pose_doubted) doubted.push_back(vehicle.vehicle);
    if (vehicle.frame.status == FrameStatus::failed) failed.push_back(vehicle.vehicle);
  }
  return {{"moment", r.moment},
          {"vehicles", r.vehicles.size()},
          {"parts", parts},
          {"poses_doubted", doubted},
          {"failed", failed}};
}

}  // namespace roadplane
