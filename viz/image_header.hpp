#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "roadplane/viz/image_file.hpp"

namespace roadplane::viz {

inline constexpr std::array<std::uint8_t, 8> kPngMagic = {0x89, 'P',  'N',  'G',
                                                          '\r', '\n', 0x1A, '\n'};
inline constexpr std::size_t kPngSizeAt = kPngMagic.size() + 8;  ///< width and height, 4 bytes each

/// What can be known of a picture file without decoding it.
struct ImageHeader {
  ImageFormat format = ImageFormat::png;
  std::int64_t width = 0;   ///< [px]
  std::int64_t height = 0;  ///< [px]
  std::string damage;       ///< why the file cannot be decoded; empty if it seems whole
};

/// Reads PNG and JPEG headers and checks that the file is whole. The decoders would notice as well,
/// but only after printing to stderr and after allocating what a damaged header asks for.
ImageHeader inspect_image(std::span<const std::uint8_t> file);

}  // namespace roadplane::viz
