#include "fleet_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "roadplane/base/file.hpp"
#include "roadplane/viz/fleet_map.hpp"
#include "roadplane/viz/image_file.hpp"

namespace roadplane {
namespace {

/// All vehicles' points, for the leader.
RecycledVector<viz::SeenPoint> gather_points(std::span<const FleetVehicle> hosted,
                                             const std::map<std::string, int>& place_of,
                                             const ProcessGroup& processes) {
  std::vector<viz::SeenPoint> own;
  for (const FleetVehicle& vehicle : hosted) {
    const auto place = place_of.find(vehicle.record().vehicle);
    if (place == place_of.end()) continue;
    for (const FleetVehicle::Seen& seen : vehicle.seen()) {
      own.push_back({seen.x, seen.y, static_cast<std::uint16_t>(place->second),
                     static_cast<std::uint16_t>(seen.labelled ? 1 : 0)});
    }
  }
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(processes.size()), 0);
  counts[static_cast<std::size_t>(processes.rank())] = own.size();
  processes.all_reduce_sum(counts);
  std::uint64_t first = 0;
  std::uint64_t all = 0;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    if (rank < static_cast<std::size_t>(processes.rank())) first += counts[rank];
    all += counts[rank];
  }
  std::vector<std::uint32_t> positions(own.size());
  for (std::size_t k = 0; k < own.size(); ++k) positions[k] = static_cast<std::uint32_t>(first + k);
  return processes.gather<viz::SeenPoint>(positions, own, all);
}

std::vector<std::string> legend_of(const MomentRecord& record) {
  std::vector<std::string> lines{"moment " + record.moment};
  for (const PartRecord& part : record.parts) {
    lines.push_back(fmt::format("{} vehicles, {}, spread {:.3f} m, {:.1f} kB each",
                                part.vehicles.size(),
                                part.one_plane ? "one plane" : "a plane at each", part.spread_m,
                                part.bytes_per_vehicle / 1e3));
  }
  return lines;
}

}  // namespace

void draw_moment(const MomentRecord& record, std::span<const FleetVehicle> hosted,
                 const std::filesystem::path& folder, const ProcessGroup& processes) {
  std::map<std::string, int> place_of;
  std::vector<viz::MappedVehicle> vehicles;
  for (const VehicleRecord& vehicle : record.vehicles) {
    if (vehicle.part < 0) continue;
    place_of.emplace(vehicle.vehicle, static_cast<int>(vehicles.size()));
    vehicles.push_back({vehicle.vehicle, vehicle.position.x(), vehicle.position.y(),
                        vehicle.pose_doubted || vehicle.frame.status == FrameStatus::failed});
  }
  if (vehicles.empty()) return;
  const auto points = gather_points(hosted, place_of, processes);
  if (!processes.leads()) return;
  std::vector<std::pair<int, int>> links;
  for (const VehicleRecord& vehicle : record.vehicles) {
    for (const std::string& neighbour : vehicle.neighbours) {
      const int a = place_of.at(vehicle.vehicle);
      const int b = place_of.at(neighbour);
      if (a < b) links.emplace_back(a, b);
    }
  }
  make_folders(folder / "fleet");
  viz::write_png(folder / "fleet" / (record.moment + ".png"),
                 viz::draw_fleet_map(vehicles, links, points, legend_of(record)));
}

}  // namespace roadplane
