#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "roadplane/pipeline/segment_config.hpp"
#include "roadplane/solver/options.hpp"

namespace roadplane {

/// A solver's own parameters. What is 0 is the program's choice.
struct MethodSettings {
  double step = 0;                                 ///< eta, or beta_1
  StepSchedule schedule = StepSchedule::constant;  ///< of DRSGD, over epochs
  int gossip_rounds = 0;                           ///< t: messages per link and iteration
  int inner_iterations = 0;                        ///< q of VRSGT
  double gossip_tolerance = 0;                     ///< of those that have no step

  bool operator==(const MethodSettings&) const = default;

  /// "0.05/sqrt(k), t = 2"; `step_used` stands for one that is the program's choice.
  std::string to_string(double step_used) const;
};

/// The plan's solver and objective with these settings.
SegmentPlan with_settings(SegmentPlan plan, const MethodSettings& settings);

nlohmann::json to_json(const MethodSettings& settings);
MethodSettings settings_from_json(const nlohmann::json& json);

}  // namespace roadplane
