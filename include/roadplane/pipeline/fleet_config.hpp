#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "roadplane/pipeline/segment_config.hpp"

namespace roadplane {

/// What the user asked of a fleet, in the words of the command line.
struct FleetConfig {
  std::string path;                ///< see kitti::open_fleet()
  std::string members;             ///< frames of a sequence that stand for vehicles: "0,10,20"
  std::string moments;             ///< "0:10", "3,5", ...; empty is all
  std::string topology = "radio";  ///< by distance, or one of make_graph()
  double radio_range_m = 200;      ///< [m] up to which two vehicles hear each other
  int neighbours = 8;              ///< with so many others, at most, a vehicle talks
  int agents_per_vehicle = 1;      ///< that share a vehicle's scan and talk within it
  bool track = false;              ///< begin at the moment before
  std::string target = "road";     ///< plane, road or ground
  std::string surface = "auto";    ///< plane or relief; auto suits the target
  std::string threshold = "auto";  ///< "0.011rad", "0.15m" ...; auto is the target's
  std::uint64_t seed = 1;
  std::string save = "label,picture";  ///< of label, picture; or none
};

nlohmann::json to_json(const FleetConfig& config);

/// The configuration made concrete.
struct FleetPlan {
  FleetConfig config;
  SegmentPlan vehicle;  ///< what each does with its own points
  bool save_label = false;
  bool save_picture = false;

  /// Throws FieldError naming the field at fault.
  explicit FleetPlan(const FleetConfig& config);
};

}  // namespace roadplane
