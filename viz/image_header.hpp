#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace roadplane::viz {

/// What can be known of a picture file without decoding it.
struct ImageHeader {
  std::int64_t width = 0;   ///< [px]
  std::int64_t height = 0;  ///< [px]
  std::string damage;       ///< why the file cannot be decoded; empty if it seems whole
};

/// Reads PNG and JPEG headers and checks that the file is whole. The decoders would notice as well,
/// but only after printing to stderr and after allocating what a damaged header asks for.
ImageHeader inspect_image(std::span<const std::uint8_t> file);

}  // namespace roadplane::viz
