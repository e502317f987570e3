#pragma once

#include "road_study.hpp"

namespace roadplane {

/// The paper's Figure 3: the road points on the camera's pictures.
Outcome write_figure3(const RoadStudy& study, const std::filesystem::path& folder);

}  // namespace roadplane
