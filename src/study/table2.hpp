#pragma once

#include "road_study.hpp"

namespace roadplane {

/// The paper's Table 2: recovery errors on road scans.
Outcome write_table2(const RoadStudy& study, const std::filesystem::path& folder);

}  // namespace roadplane
