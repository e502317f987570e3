#include "png_filter.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

namespace roadplane::viz {
namespace {

constexpr std::size_t kPixel = 3;  // bytes
enum Filter : std::uint8_t { kNone, kSub, kUp, kAverage, kPaeth };

/// Of left, above and above left the one that is nearest to left + above - above left. The tests
/// are selections of 16-bit numbers, so that the compiler takes many bytes at a time.
inline std::int16_t paeth(std::int16_t left, std::int16_t above, std::int16_t corner) {
  const auto magnitude = [](std::int16_t x) { return static_cast<std::int16_t>(x < 0 ? -x : x); };
  const auto down = static_cast<std::int16_t>(above - corner);  // what left is off by
  const auto right = static_cast<std::int16_t>(left - corner);  // what above is off by
  const std::int16_t off_left = magnitude(down);
  const std::int16_t off_above = magnitude(right);
  const std::int16_t off_corner = magnitude(static_cast<std::int16_t>(down + right));
  const std::int16_t other = off_above <= off_corner ? above : corner;
  return off_left <= std::min(off_above, off_corner) ? left : other;
}

typedef std::uint8_t Bytes __attribute__((vector_size(8)));
typedef std::int16_t Shorts __attribute__((vector_size(16)));

inline Shorts load(const std::uint8_t* from) {
  Bytes bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  return __builtin_convertvector(bytes, Shorts);
}
inline Shorts magnitude(Shorts x) { return x < 0 ? -x : x; }

/// Each pixel needs the one before it, so only its colours go side by side: in the first three of
/// eight numbers, while the others hold what nobody looks at.
std::size_t undo_paeth_in_registers(const std::uint8_t* in, const std::uint8_t* above,
                                    std::span<std::uint8_t> row) {
  Shorts left{};
  Shorts corner{};
  std::size_t i = 0;
  for (; i + sizeof(Bytes) <= row.size(); i += kPixel) {
    const Shorts up = load(above + i);
    const Shorts down = up - corner;
    const Shorts right = left - corner;
    const Shorts off_left = magnitude(down);
    const Shorts off_above = magnitude(right);
    const Shorts off_corner = magnitude(down + right);
    const Shorts other = off_above <= off_corner ? up : corner;
    const Shorts least = off_above <= off_corner ? off_above : off_corner;
    left = (load(in + i) + (off_left <= least ? left : other)) & 255;
    corner = up;
    const Bytes pixel = __builtin_convertvector(left, Bytes);
    std::memcpy(&row[i], &pixel, 4);  // the fourth is overwritten
  }
  return i;
}

void undo_paeth(const std::uint8_t* in, std::span<const std::uint8_t> above,
                std::span<std::uint8_t> row) {
  for (std::size_t i = undo_paeth_in_registers(in, above.data(), row); i < row.size(); ++i) {
    const bool first = i < kPixel;
    const std::int16_t left = first ? 0 : row[i - kPixel];
    const std::int16_t corner = first ? 0 : above[i - kPixel];
    row[i] = static_cast<std::uint8_t>(in[i] + paeth(left, above[i], corner));
  }
}

void undo_average(const std::uint8_t* in, std::span<const std::uint8_t> above,
                  std::span<std::uint8_t> row) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    const int left = i < kPixel ? 0 : row[i - kPixel];
    row[i] = static_cast<std::uint8_t>(in[i] + (left + above[i]) / 2);
  }
}

void undo_sub(const std::uint8_t* in, std::span<std::uint8_t> row) {
  std::array<std::uint8_t, kPixel> left{};
  for (std::size_t i = 0; i < row.size(); i += kPixel) {
    for (std::size_t c = 0; c < kPixel; ++c) {
      row[i + c] = left[c] = static_cast<std::uint8_t>(in[i + c] + left[c]);
    }
  }
}

}  // namespace

void filter_row(std::span<const std::uint8_t> row, std::span<const std::uint8_t> above,
                std::span<std::uint8_t> out) {
  out[0] = kPaeth;
  std::uint8_t* const rest = out.data() + 1;
  for (std::size_t i = 0; i < kPixel; ++i) rest[i] = static_cast<std::uint8_t>(row[i] - above[i]);
  for (std::size_t i = kPixel; i < row.size(); ++i) {
    rest[i] =
        static_cast<std::uint8_t>(row[i] - paeth(row[i - kPixel], above[i], above[i - kPixel]));
  }
}

bool unfilter_row(std::span<const std::uint8_t> filtered, std::span<const std::uint8_t> above,
                  std::span<std::uint8_t> row) {
  const std::uint8_t* const in = filtered.data() + 1;
  switch (filtered[0]) {
    case kNone:
      std::copy_n(in, row.size(), row.begin());
      return true;
    case kSub:
      undo_sub(in, row);
      return true;
    case kUp:
      for (std::size_t i = 0; i < row.size(); ++i)
        row[i] = static_cast<std::uint8_t>(in[i] + above[i]);
      return true;
    case kAverage:
      undo_average(in, above, row);
      return true;
    case kPaeth:
      undo_paeth(in, above, row);
      return true;
    default:
      return false;
  }
}

}  // namespace roadplane::viz
