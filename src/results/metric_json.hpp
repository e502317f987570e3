#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>

#include "roadplane/results/metrics.hpp"

namespace roadplane {

/// Where a metric is in a record's JSON: the dots of its key are levels, "w.0" is the first entry
/// of the array "w".
inline nlohmann::json::json_pointer place_of(const Metric& metric) {
  std::string path = "/" + std::string(metric.key);
  std::replace(path.begin(), path.end(), '.', '/');
  return nlohmann::json::json_pointer(path);
}

inline nlohmann::json json_of(const MetricValue& value) {
  return std::visit([](const auto& v) { return nlohmann::json(v); }, value);
}

}  // namespace roadplane
