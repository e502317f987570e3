#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "road_study.hpp"

namespace roadplane {

/// What is the same beside Table 2 and Figure 3: the setting, and every record as CSV and JSON.
std::string setting_text(const RoadStudy& study);
std::string csv_of(const RoadStudy& study);
nlohmann::json json_of(const RoadStudy& study);

}  // namespace roadplane
