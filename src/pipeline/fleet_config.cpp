#include "roadplane/pipeline/fleet_config.hpp"

#include <nlohmann/json.hpp>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane {
namespace {

/// A vehicle's own part is what `segment` does with its agents.
SegmentConfig config_of_vehicle(const FleetConfig& fleet) {
  SegmentConfig config;
  require_range("agents_per_vehicle", fleet.agents_per_vehicle, 1, 256);
  config.agents = fleet.agents_per_vehicle;
  config.topology = "complete";
  config.target = fleet.target;
  config.surface = fleet.surface;
  config.threshold = fleet.threshold;
  config.seed = fleet.seed;
  config.save = "none";
  return config;
}

}  // namespace

nlohmann::json to_json(const FleetConfig& config) {
  return {{"command", "fleet"},
          {"path", config.path},
          {"members", config.members},
          {"moments", config.moments},
          {"topology", config.topology},
          {"radio-range", config.radio_range_m},
          {"neighbours", config.neighbours},
          {"agents-per-vehicle", config.agents_per_vehicle},
          {"track", config.track},
          {"target", config.target},
          {"surface", config.surface},
          {"threshold", config.threshold},
          {"seed", config.seed},
          {"save", config.save}};
}

FleetPlan::FleetPlan(const FleetConfig& wanted)
    : config(wanted), vehicle(config_of_vehicle(wanted)) {
  require_range("radio_range_m", config.radio_range_m, 1, 1e6);
  require_range("neighbours", config.neighbours, 2, 1000);
  if (config.save == "none") return;
  for (const std::string& word : split_list(config.save)) {
    if (word != "label" && word != "picture")
      throw FieldError("save", "none, or a list of label and picture", in_quotes(word));
    (word == "label" ? save_label : save_picture) = true;
  }
}

}  // namespace roadplane
