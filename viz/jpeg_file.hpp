#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "roadplane/geometry/rgb_image.hpp"

namespace roadplane::viz {

struct JpegOptions {
  int quality = 90;         ///< 1 (poor) .. 100
  bool own_codes = false;   ///< Huffman codes made for the picture: some 5 % smaller, and slower
  bool color_rows = false;  ///< colours of every row of pixels, not of two rows together
};

/// The bytes of a JPEG file. The picture is not empty and of its own size.
std::vector<std::uint8_t> make_jpeg(const RgbImage& image, const JpegOptions& options);

/// What inspect_image() found to be whole, also gray or CMYK; nothing if it does not decode. A
/// rotation that EXIF asks for is not applied: calibration refers to the pixels as stored.
std::optional<RgbImage> decode_jpeg(std::span<const std::uint8_t> file);

}  // namespace roadplane::viz
