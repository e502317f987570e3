#include "splat.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace roadplane::viz {
namespace {

constexpr int kFull = 128;  // so that strength times colour difference fits 16 bits
constexpr int kShift = 7;

inline std::uint8_t blend(std::uint8_t below, std::int16_t color, std::int16_t strength) {
  const auto difference = static_cast<std::int16_t>(color - below);
  const auto product = static_cast<std::int16_t>(difference * strength + kFull / 2);
  return static_cast<std::uint8_t>(below + (product >> kShift));
}

/// Least significant digits first, so equal keys keep their order. std::stable_sort alone takes
/// longer than this and the painting together.
void radix_sort(std::vector<Splat>& splats) {
  constexpr int kDigitBits = 11;
  constexpr std::uint32_t kDigits = 1U << kDigitBits;
  std::vector<Splat> sorted(splats.size());
  for (int shift = 0; shift < 32; shift += kDigitBits) {
    std::array<std::uint32_t, kDigits> next{};
    for (const Splat& splat : splats) ++next[splat.order >> shift & (kDigits - 1)];
    if (std::ranges::max(next) == splats.size()) continue;  // all have the same digit
    std::uint32_t begin = 0;
    for (std::uint32_t& entry : next) begin += std::exchange(entry, begin);
    for (const Splat& splat : splats) {
      sorted[next[splat.order >> shift & (kDigits - 1)]++] = splat;
    }
    splats.swap(sorted);
  }
}

}  // namespace

DiscPainter::DiscPainter(std::span<const DiscShape> shapes, std::span<const Color> colors) {
  masks_.reserve(shapes.size());
  for (const DiscShape& shape : shapes) add_mask(shape);
  inks_.reserve(colors.size());
  for (const Color color : colors) {
    Ink& ink = inks_.emplace_back();
    for (int i = 0; i < kChunkBytes; i += 3) {
      ink[i] = color.r;
      ink[i + 1] = color.g;
      ink[i + 2] = color.b;
    }
  }
}

void DiscPainter::add_mask(const DiscShape& shape) {
  const double reach = shape.radius_px + 0.5;  // the edge is one pixel wide, half of it outside
  Mask mask;
  mask.lowest = -static_cast<int>(reach);
  mask.size = static_cast<int>(reach + 1.0 - 1.0 / Splat::kSteps) - mask.lowest + 1;
  mask.stride_px = (mask.size + kChunkPixels - 1) / kChunkPixels * kChunkPixels;
  mask.begin = strengths_.size();
  strengths_.resize(mask.begin + std::size_t{3} * kPhases * mask.size * mask.stride_px);

  std::int16_t* out = strengths_.data() + mask.begin;
  for (int phase = 0; phase < kPhases; ++phase) {
    const int phase_x = phase % Splat::kSteps;
    const int phase_y = phase / Splat::kSteps;
    for (int row = 0; row < mask.size; ++row, out += std::ptrdiff_t{3} * mask.stride_px) {
      const double dy = row + mask.lowest - 1.0 * phase_y / Splat::kSteps;
      for (int column = 0; column < mask.size; ++column) {
        const double dx = column + mask.lowest - 1.0 * phase_x / Splat::kSteps;
        const double coverage = std::clamp(reach - std::sqrt(dx * dx + dy * dy), 0.0, 1.0);
        const auto strength =
            static_cast<std::int16_t>(std::lround(coverage * shape.opacity * kFull));
        std::fill_n(out + std::ptrdiff_t{3} * column, 3, strength);
      }
    }
  }
  masks_.push_back(mask);
}

void DiscPainter::stamp_clipped(const Mask& mask, const std::int16_t* strength, const Ink& ink,
                                int left, int top, RgbImage& image) const {
  const int first_row = std::max(0, -top);
  const int last_row = std::min(mask.size, image.height - top);
  const int first_column = std::max(0, -left);
  const int last_column = std::min(mask.size, image.width - left);
  for (int row = first_row; row < last_row; ++row) {
    std::uint8_t* pixels =
        image.rgb.data() + (static_cast<std::ptrdiff_t>(top + row) * image.width + left) * 3;
    const std::int16_t* strengths = strength + std::ptrdiff_t{3} * row * mask.stride_px;
    for (int i = 3 * first_column; i < 3 * last_column; ++i) {
      pixels[i] = blend(pixels[i], ink[i % 3], strengths[i]);
    }
  }
}

void DiscPainter::stamp(const Splat& splat, RgbImage& image) const {
  const Mask& mask = masks_[splat.shape];
  const Ink& ink = inks_[splat.color];
  // Arithmetic shift and mask: also right for the negative positions just outside.
  const int phase =
      (splat.y & (Splat::kSteps - 1)) * Splat::kSteps + (splat.x & (Splat::kSteps - 1));
  const int left = (splat.x >> 2) + mask.lowest;
  const int top = (splat.y >> 2) + mask.lowest;
  const std::int16_t* strength =
      strengths_.data() + mask.begin + std::size_t{3} * phase * mask.size * mask.stride_px;

  const bool inside = left >= 0 && top >= 0 && top + mask.size <= image.height &&
                      left + mask.stride_px <= image.width;
  if (!inside) return stamp_clipped(mask, strength, ink, left, top, image);

  std::uint8_t* pixels = image.rgb.data() + (std::size_t{1} * top * image.width + left) * 3;
  for (int row = 0; row < mask.size; ++row, pixels += std::ptrdiff_t{3} * image.width) {
    // Padding has strength 0 and leaves its pixels as they are. The fixed length of the inner loop
    // lets the compiler use vector instructions.
    for (int x = 0; x < 3 * mask.stride_px; x += kChunkBytes, strength += kChunkBytes) {
      for (int i = 0; i < kChunkBytes; ++i) {
        pixels[x + i] = blend(pixels[x + i], ink[i], strength[i]);
      }
    }
  }
}

void DiscPainter::paint(std::vector<Splat>& splats, RgbImage& image) const {
  radix_sort(splats);
  for (const Splat& splat : splats) stamp(splat, image);
}

}  // namespace roadplane::viz
