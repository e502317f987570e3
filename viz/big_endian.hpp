#pragma once

#include <cstdint>

namespace roadplane::viz {

/// Numbers as PNG and JPEG files have them.
inline std::uint32_t big_endian_32(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 |
         std::uint32_t{bytes[2]} << 8 | std::uint32_t{bytes[3]};
}

inline int big_endian_16(const std::uint8_t* bytes) { return bytes[0] << 8 | bytes[1]; }

inline void put_big_endian_32(std::uint32_t value, std::uint8_t* bytes) {
  for (int i = 0; i < 4; ++i) bytes[i] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
}

}  // namespace roadplane::viz
