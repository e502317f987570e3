#include "fleet_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "roadplane/base/words.hpp"
#include "roadplane/results/tables.hpp"

namespace roadplane::app {
namespace {

using Row = std::vector<std::string>;

Row heading(bool truth) {
  Row row{"vehicle", "part", "status", "height",  "+-",   "alone", "roll",
          "pitch",   "+-",   "ground", "pose dz", "tilt", "kB"};
  if (truth) row.insert(row.end(), {"error", "deg"});
  return row;
}

std::string half_of(const std::optional<Interval>& interval) {
  return interval ? fmt::format("{:.3f}", (interval->high - interval->low) / 2) : "";
}

Row row_of(const VehicleRecord& r, bool truth) {
  const FrameRecord& f = r.frame;
  Row row{r.vehicle, r.part < 0 ? "-" : std::to_string(r.part), to_string(f.status)};
  if (f.status == FrameStatus::failed) return row;
  row.insert(row.end(), {fmt::format("{:.3f}", f.plane.offset_m), half_of(f.height_m_95),
                         fmt::format("{:.3f}", r.alone_height_m), fmt::format("{:.2f}", r.roll_deg),
                         fmt::format("{:.2f}", r.pitch_deg),
                         r.tilt_half_deg ? fmt::format("{:.2f}", *r.tilt_half_deg) : "",
                         fmt::format("{:.3f}", r.ground_z_m), fmt::format("{:+.3f}", r.pose_high_m),
                         fmt::format("{:.2f}", std::hypot(r.pose_roll_deg, r.pose_pitch_deg)),
                         fmt::format("{:.1f}", f.bytes_per_agent / 1e3)});
  if (truth && r.truth) {
    const GroundError error = r.truth->error_of(r.ground);
    row.push_back(fmt::format("{:+.3f}", error.height_m));
    row.push_back(fmt::format("{:.2f}", error.angle_deg));
  }
  return row;
}

std::string part_line(const PartRecord& part, std::size_t number, std::size_t parts) {
  const std::string name = parts > 1 ? fmt::format("part {}: ", number) : "";
  if (part.vehicles.size() == 1) return name + "one vehicle that hears no other\n";
  return name + fmt::format(
                    "{} vehicles, {} links, {}{}; their grounds differ by {:.3f} m; {} "
                    "rounds, {:.1f} kB a vehicle\n",
                    part.vehicles.size(), part.links,
                    part.one_plane ? "one plane" : "a plane at each",
                    part.tracked ? ", tracked" : "", part.spread_m, part.rounds,
                    part.bytes_per_vehicle / 1e3);
}

std::string errors_text(const MomentRecord& record) {
  const FleetErrors errors = errors_of(record);
  std::string text;
  const auto add = [&](const char* what, const FleetErrors::Of& of, const char* unit) {
    text += fmt::format("{}: {:.3f}{}; alone {:.3f}, by one plane for all {:.3f}\n", what, of.fleet,
                        unit, of.alone, of.single);
  };
  if (errors.vehicles == 0) return text;
  add("error of the ground at the vehicles (rms)", errors.height_m, " m");
  add("and of its tilt", errors.angle_deg, " degrees");
  if (errors.pairs_ahead > 0) add("20 to 60 m away from them", errors.ahead_m, " m");
  return text;
}

}  // namespace

std::string moment_text(const MomentRecord& record, const TextLayout& layout) {
  bool truth = false;
  for (const VehicleRecord& r : record.vehicles) truth = truth || r.truth;
  std::vector<Row> rows{heading(truth)};
  for (const VehicleRecord& r : record.vehicles) rows.push_back(row_of(r, truth));
  std::vector<bool> is_text(rows.front().size(), false);
  is_text[0] = is_text[2] = true;
  std::string text = fmt::format("moment {}\n", terminal_text(record.moment));
  text += aligned_text(rows, is_text, layout);
  for (std::size_t k = 0; k < record.parts.size(); ++k)
    text += part_line(record.parts[k], k, record.parts.size());
  text += errors_text(record);
  for (const VehicleRecord& r : record.vehicles) {
    const std::string& why = r.frame.error.empty() ? r.frame.note : r.frame.error;
    if (!why.empty()) text += fmt::format("vehicle {}: {}\n", r.vehicle, terminal_text(why));
  }
  return text;
}

}  // namespace roadplane::app
