#pragma once

#include <span>
#include <string>
#include <vector>

#include "roadplane/geometry/rgb_image.hpp"
#include "roadplane/ground/relief.hpp"

namespace roadplane::viz {

/// The agents' reliefs from above, forward up, out to 45 m: each cell in the colour of its height
/// as the agent with most points in it has it, fainter where nobody has any; lines where the owner
/// changes.
RgbImage draw_relief(std::span<const Relief> reliefs, const std::vector<std::string>& legend);

}  // namespace roadplane::viz
