#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "roadplane/geometry/rgb_image.hpp"

namespace roadplane::viz {

/// The bytes of a PNG file. The picture is not empty and of its own size.
std::vector<std::uint8_t> make_png(const RgbImage& image);

/// What inspect_image() found to be whole, of whichever depth and colours; nothing if it does not
/// decode. Samples of 16 bits lose their lower ones, an alpha channel is left out, gray is made
/// red, green and blue.
std::optional<RgbImage> decode_png(std::span<const std::uint8_t> file);

}  // namespace roadplane::viz
