#include "base64.hpp"

#include <algorithm>
#include <cstdint>

namespace roadplane::viz {

std::string base64(std::span<const std::byte> bytes) {
  constexpr const char* kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  const auto byte = [&](std::size_t k) {
    return k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[k]) : 0U;
  };
  for (std::size_t k = 0, out = 0; k < bytes.size(); k += 3, out += 4) {
    const std::uint32_t three = byte(k) << 16 | byte(k + 1) << 8 | byte(k + 2);
    const std::size_t digits = 1 + std::min<std::size_t>(3, bytes.size() - k);
    for (std::size_t d = 0; d < digits; ++d) text[out + d] = kDigits[three >> (18 - 6 * d) & 63];
  }
  return text;
}

}  // namespace roadplane::viz
