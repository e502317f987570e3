#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace roadplane {

/// A picture as plain bytes, so that a module can make one without an image library.
struct RgbImage {
  int width = 0;                  ///< [px]
  int height = 0;                 ///< [px]
  std::vector<std::uint8_t> rgb;  ///< r g b per pixel, row by row from the top left

  bool empty() const { return rgb.empty(); }
  /// The first of the three bytes of a pixel.
  const std::uint8_t* pixel(int u, int v) const {
    return rgb.data() + 3 * (static_cast<std::size_t>(v) * static_cast<std::size_t>(width) +
                             static_cast<std::size_t>(u));
  }
};

}  // namespace roadplane
