#include "roadplane/pipeline/fleet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "fleet_links.hpp"
#include "fleet_picture.hpp"
#include "fleet_places.hpp"
#include "fleet_vehicle.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/kitti/frame_selection.hpp"
#include "roadplane/pipeline/frame_path.hpp"
#include "roadplane/results/json_text.hpp"

namespace roadplane {
namespace {

using nlohmann::json;

constexpr double kToldM = 0.03;  // [m] of which a vehicle is told that it was wrong alone
constexpr const char* kFromRank = "the records of another rank";

/// Consecutive vehicles; more processes than vehicles leave some without.
int rank_of_vehicle(std::size_t vehicle, std::size_t vehicles, int ranks) {
  const auto used = std::min(vehicles, static_cast<std::size_t>(ranks));
  return static_cast<int>(vehicle * used / vehicles);
}

/// Who takes part, and where: every process finds the same parts of these.
struct Roll {
  std::vector<std::size_t> vehicles;
  std::vector<Eigen::Vector3d> positions;
};

Roll call_roll(const std::vector<FleetVehicle>& hosted, const ProcessGroup& processes) {
  json own = json::array();
  for (const FleetVehicle& vehicle : hosted) {
    const Eigen::Vector3d at = vehicle.position();
    if (vehicle.takes_part()) own.push_back({vehicle.number(), at.x(), at.y(), at.z()});
  }
  Roll roll;
  for (const std::string& text : processes.all_gather(text_of(own))) {
    for (const json& entry : json::parse(text)) {
      roll.vehicles.push_back(entry[0]);
      roll.positions.emplace_back(entry[1].get<double>(), entry[2].get<double>(),
                                  entry[3].get<double>());
    }
  }
  return roll;
}

/// One part of the fleet as a process sees it.
class Part {
 public:
  Part(const FleetPart& part, int number, const Roll& roll, const kitti::Fleet& fleet)
      : part_(part), number_(number) {
    for (const std::size_t member : part.members) vehicles_.push_back(roll.vehicles[member]);
    for (const std::size_t vehicle : vehicles_) record_.vehicles.push_back(fleet.vehicles[vehicle]);
    record_.links = part.network.graph.edge_count();
    record_.slem = part.network.slem;
    record_.diameter = part.network.diameter;
  }

  const std::vector<std::size_t>& vehicles() const { return vehicles_; }

  /// Its vehicles agree, and each labels its points. A record where this process hosts the first.
  std::optional<PartRecord> solve(std::span<FleetVehicle> hosted, std::size_t fleet_size,
                                  const FleetPlan& plan, const std::filesystem::path& folder,
                                  const ProcessGroup& processes, FleetTrack* track) {
    std::vector<int> rank_of_agent;
    for (const std::size_t vehicle : vehicles_)
      rank_of_agent.push_back(rank_of_vehicle(vehicle, fleet_size, processes.size()));
    const auto channel = processes.make_channel(part_.network, rank_of_agent);
    if (!channel) return std::nullopt;
    std::vector<FleetVehicle*> own;
    for (const int agent : channel->hosted()) own.push_back(&vehicle_of(hosted, agent));
    std::vector<std::optional<GroundMemory>> last;
    for (std::size_t i = 0; track != nullptr && i < own.size(); ++i)
      last.push_back(track->grounds[own[i]->number()]);
    const FleetGround ground = agree_on_places(*channel, own, plan.config.seed, last);
    for (std::size_t i = 0; i < last.size() && !ground.places.empty(); ++i)
      track->grounds[own[i]->number()] = ground.single.memory;
    record_.tracked = ground.single.tracked;
    record_.iterations = ground.single.iterations;
    record_.one_plane = ground.one_plane;
    record_.spread_m = ground.single.spread_m;
    record_.rounds = channel->traffic().rounds;
    record_.bytes_per_vehicle = channel->traffic().bytes_per_agent(part_.network.graph);
    for (std::size_t i = 0; i < own.size(); ++i)
      finish(*own[i], channel->hosted()[i], ground, i, *channel, folder);
    if (channel->hosted().front() != 0) return std::nullopt;
    if (!ground.single.planes.empty()) record_.plane = ground.single.planes.front();
    return record_;
  }

 private:
  FleetVehicle& vehicle_of(std::span<FleetVehicle> hosted, int agent) const {
    const std::size_t number = vehicles_[static_cast<std::size_t>(agent)];
    return *std::find_if(hosted.begin(), hosted.end(),
                         [&](const FleetVehicle& v) { return v.number() == number; });
  }

  void finish(FleetVehicle& vehicle, int agent, const FleetGround& ground, std::size_t row,
              const Channel& channel, const std::filesystem::path& folder) const {
    VehicleRecord& record = vehicle.record();
    record.part = number_;
    for (const int neighbour : part_.network.graph.neighbours(agent))
      record.neighbours.push_back(record_.vehicles[static_cast<std::size_t>(neighbour)]);
    const auto none = Eigen::Vector4d(0, 0, 1, NAN);
    const bool any = !ground.places.empty();
    vehicle.finish(any ? ground.places[row] : PlaceGround{none},
                   any ? ground.single.planes[row] : none, folder);
    // Whatever its own solve has taken: alone it has sent nothing.
    const Traffic& sent = channel.traffic();
    record.frame.rounds = sent.rounds;
    record.frame.messages_per_link = sent.messages_per_link;
    record.frame.messages =
        sent.messages_per_link * static_cast<std::int64_t>(record.neighbours.size());
    record.frame.bytes_per_agent =
        static_cast<double>(sent.bytes_per_link) * static_cast<double>(record.neighbours.size());
    record.frame.bytes_scan_per_agent = record.bytes_scan;
    add_notes(record, channel.network().agents());
  }

  static void add_notes(VehicleRecord& record, int vehicles) {
    FrameRecord& frame = record.frame;
    const auto note = [&](const std::string& text) {
      frame.note += (frame.note.empty() ? "" : "; ") + text;
    };
    const double apart_m = std::abs(frame.plane.offset_m - record.alone_height_m);
    if (record.helped && record.alone_height_m != 0 && apart_m > kToldM) {
      note(fmt::format("its scan alone shows a surface {:.2f} m {} the ground of the others",
                       apart_m, record.alone_height_m < frame.plane.offset_m ? "above" : "below"));
    }
    if (record.pose_doubted) {
      note(
          fmt::format("its pose is not that of the others: {:+.2f} m in height, {:+.2f} degrees "
                      "in roll, {:+.2f} in pitch",
                      record.pose_high_m, record.pose_roll_deg, record.pose_pitch_deg));
      frame.status = std::max(frame.status, FrameStatus::suspect);
    }
    if (vehicles == 1) note("hears no other vehicle");
  }

  const FleetPart& part_;
  int number_;
  std::vector<std::size_t> vehicles_;
  PartRecord record_;
};

/// Of what is said of the places of a part, on average.
double mean_spread_m(std::span<const VehicleRecord> vehicles, int part) {
  double sum = 0;
  int count = 0;
  for (const VehicleRecord& vehicle : vehicles) {
    if (vehicle.part != part) continue;
    sum += vehicle.spread_m;
    ++count;
  }
  return sum / std::max(count, 1);
}

/// All processes' records, in the fleet's order.
MomentRecord gathered(const std::string& moment, std::vector<FleetVehicle>& hosted,
                      const std::vector<std::pair<int, PartRecord>>& parts,
                      const ProcessGroup& processes) {
  json own = {{"vehicles", json::array()}, {"parts", json::array()}};
  for (FleetVehicle& vehicle : hosted) own["vehicles"].push_back(to_json(vehicle.record()));
  for (const auto& [number, part] : parts) own["parts"].push_back({number, to_json(part)});
  MomentRecord record;
  record.moment = moment;
  std::map<int, PartRecord> by_number;
  for (const std::string& text : processes.all_gather(text_of(own))) {
    const json all = json::parse(text);
    for (const json& entry : all["vehicles"])
      record.vehicles.push_back(vehicle_record_from_json(entry, kFromRank));
    for (const json& entry : all["parts"])
      by_number.emplace(entry[0], part_record_from_json(entry[1]));
  }
  for (auto& [number, part] : by_number) record.parts.push_back(std::move(part));
  for (std::size_t k = 0; k < record.parts.size(); ++k) {
    if (!record.parts[k].one_plane)
      record.parts[k].spread_m = mean_spread_m(record.vehicles, static_cast<int>(k));
  }
  return record;
}

}  // namespace

std::vector<std::size_t> hosted_vehicles(const kitti::Fleet& fleet, const ProcessGroup& processes) {
  std::vector<std::size_t> hosted;
  for (std::size_t k = 0; k < fleet.vehicles.size(); ++k) {
    if (rank_of_vehicle(k, fleet.vehicles.size(), processes.size()) == processes.rank())
      hosted.push_back(k);
  }
  return hosted;
}

std::vector<std::string> moments_of_fleet(const kitti::Fleet& fleet, const FleetConfig& config,
                                          const ProcessGroup& processes) {
  json own = json::array();
  for (const std::size_t vehicle : hosted_vehicles(fleet, processes)) {
    try {
      for (const std::string& moment : moments_of(fleet, vehicle)) own.push_back(moment);
    } catch (const InputError&) {  // its folder cannot be read: it is told of at every moment
    }
  }
  std::set<std::string> names;
  for (const std::string& text : processes.all_gather(text_of(own))) {
    for (const json& name : json::parse(text)) names.insert(name.get<std::string>());
  }
  if (config.moments.empty()) return {names.begin(), names.end()};
  std::vector<kitti::Frame> numbered;
  for (const std::string& name : names) {
    kitti::Frame frame;
    frame.scan = name;
    frame.number = static_cast<int>(parse_count(name).value_or(0));
    numbered.push_back(std::move(frame));
  }
  std::vector<std::string> chosen;
  const auto selection =
      in_field("moments", [&] { return kitti::FrameSelection::parse(config.moments); });
  for (const kitti::Frame& frame : in_field("moments", [&] { return selection.apply(numbered); }))
    chosen.push_back(frame.scan.string());
  return chosen;
}

MomentRecord segment_moment(const kitti::Fleet& fleet, const std::string& moment,
                            const FleetPlan& plan, const std::filesystem::path& folder,
                            const ProcessGroup& processes, FleetTrack* track) {
  // Every vehicle looks at its own scan.
  std::vector<FleetVehicle> hosted;
  const auto numbers = hosted_vehicles(fleet, processes);
  hosted.reserve(numbers.size());
  for (const std::size_t number : numbers)
    hosted.emplace_back(fleet, number, moment, plan, track ? &track->planes[number] : nullptr);

  // Those who hear of each other agree on the ground.
  const Roll roll = call_roll(hosted, processes);
  const std::vector<FleetPart> parts = parts_of_fleet(roll.positions, plan.config);
  std::vector<std::pair<int, PartRecord>> records;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    Part part(parts[k], static_cast<int>(k), roll, fleet);
    auto record = part.solve(hosted, fleet.vehicles.size(), plan, folder, processes, track);
    if (record) records.emplace_back(static_cast<int>(k), std::move(*record));
  }
  MomentRecord record = gathered(moment, hosted, records, processes);
  if (plan.save_picture) draw_moment(record, hosted, folder, processes);
  return record;
}

}  // namespace roadplane
