#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "roadplane/geometry/rgb_image.hpp"

namespace roadplane::viz {

/// Any PNG file of a size that has been checked; nothing if it does not decode. Prints nothing.
std::optional<RgbImage> decode_with_libpng(std::span<const std::uint8_t> file);

}  // namespace roadplane::viz
