#include "raw_picture.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "roadplane/base/input_error.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane::kitti {
namespace {

constexpr std::uint64_t kMostPixels = 100'000'000;

/// Where in a pixel's bytes its colours are.
struct Encoding {
  std::string_view name;
  std::size_t bytes;
  std::array<std::size_t, 3> rgb;
};

constexpr Encoding kEncodings[] = {
    {"rgb8", 3, {0, 1, 2}},  {"bgr8", 3, {2, 1, 0}},  {"8UC3", 3, {2, 1, 0}},
    {"rgba8", 4, {0, 1, 2}}, {"bgra8", 4, {2, 1, 0}}, {"8UC4", 4, {2, 1, 0}},
    {"mono8", 1, {0, 0, 0}}, {"8UC1", 1, {0, 0, 0}},
};

/// The colours of a square of two by two pixels, row by row: "rggb".
constexpr std::string_view kBayer = "bayer_";

std::uint8_t at(const ImageMessage& m, std::size_t row, std::size_t byte) {
  return std::to_integer<std::uint8_t>(m.data[row * m.step + byte]);
}

void require_size(const ImageMessage& m, std::size_t bytes_per_pixel, const std::string& where) {
  const std::uint64_t pixels = std::uint64_t{m.width} * m.height;
  const std::uint64_t row = std::uint64_t{m.width} * bytes_per_pixel;
  if (pixels == 0 || pixels > kMostPixels) {
    throw InputError(where, "a picture of 1 to " + std::to_string(kMostPixels) + " pixels",
                     std::to_string(m.width) + " x " + std::to_string(m.height));
  }
  if (m.step < row || m.data.size() < std::uint64_t{m.step} * (m.height - 1) + row) {
    throw InputError(where, std::to_string(m.height) + " rows of " + std::to_string(row) + " bytes",
                     std::to_string(m.data.size()) + " bytes in rows of " + std::to_string(m.step));
  }
}

template <class Pixel>
RgbImage made(const ImageMessage& m, Pixel&& pixel) {
  RgbImage image{static_cast<int>(m.width), static_cast<int>(m.height), {}};
  image.rgb.resize(std::size_t{3} * m.width * m.height);
  std::uint8_t* out = image.rgb.data();
  for (std::size_t v = 0; v < m.height; ++v) {
    for (std::size_t u = 0; u < m.width; ++u, out += 3) pixel(u, v, out);
  }
  return image;
}

RgbImage of_bayer(const ImageMessage& m, std::string_view pattern) {
  return made(m, [&](std::size_t u, std::size_t v, std::uint8_t* out) {
    // The square of which the pixel is the upper left one, or at an edge another.
    const std::size_t u0 = std::min<std::size_t>(u, m.width - 2);
    const std::size_t v0 = std::min<std::size_t>(v, m.height - 2);
    std::array<int, 3> sum{};
    std::array<int, 3> count{};
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t x = u0 + k % 2;
      const std::size_t y = v0 + k / 2;
      const char color = pattern[2 * (y % 2) + x % 2];
      const std::size_t c = color == 'r' ? 0 : color == 'g' ? 1 : 2;
      sum[c] += at(m, y, x);
      ++count[c];
    }
    for (std::size_t c = 0; c < 3; ++c) {
      out[c] = static_cast<std::uint8_t>(sum[c] / std::max(count[c], 1));
    }
  });
}

}  // namespace

RgbImage rgb_image(const ImageMessage& m, const std::string& where) {
  for (const Encoding& encoding : kEncodings) {
    if (encoding.name != m.encoding) continue;
    require_size(m, encoding.bytes, where);
    return made(m, [&](std::size_t u, std::size_t v, std::uint8_t* out) {
      for (std::size_t c = 0; c < 3; ++c) out[c] = at(m, v, u * encoding.bytes + encoding.rgb[c]);
    });
  }
  if (m.encoding == "mono16") {
    require_size(m, 2, where);
    return made(m, [&](std::size_t u, std::size_t v, std::uint8_t* out) {
      std::fill_n(out, 3, at(m, v, 2 * u + (m.big_endian ? 0 : 1)));
    });
  }
  const bool bayer = m.encoding.starts_with(kBayer) && m.encoding.ends_with("8") &&
                     m.encoding.size() == kBayer.size() + 5;
  const std::string pattern = bayer ? m.encoding.substr(kBayer.size(), 4) : "";
  if (bayer && pattern.find_first_not_of("rgb") == std::string::npos) {
    require_size(m, 1, where);
    if (m.width >= 2 && m.height >= 2) return of_bayer(m, pattern);
  }
  throw InputError(where, "a picture in rgb8, bgr8, rgba8, bgra8, mono8, mono16 or bayer_*8",
                   in_quotes(m.encoding));
}

}  // namespace roadplane::kitti
