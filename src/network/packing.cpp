#include "packing.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace roadplane {

void pack_singles(const double* row, int width, std::byte* packed) {
  for (int c = 0; c < width; ++c) {
    const auto number = static_cast<float>(row[c]);
    std::memcpy(packed + c * sizeof(number), &number, sizeof(number));
  }
}

void unpack_singles(const std::byte* packed, int width, double* row) {
  for (int c = 0; c < width; ++c) {
    float number = 0;
    std::memcpy(&number, packed + c * sizeof(number), sizeof(number));
    row[c] = number;
  }
}

namespace {

constexpr int kNothing = -128;   // the exponent of a block without change
constexpr int kNotFinite = 127;  // and of one that holds a value that is no number

/// The least e with |change| <= 2^e for all of them.
int exponent_of(const double* row, const double* heard, int count) {
  double largest = 0;
  for (int c = 0; c < count; ++c) {
    const double change = std::abs(row[c] - heard[c]);
    if (!(change < std::numeric_limits<double>::infinity())) return kNotFinite;
    largest = std::max(largest, change);
  }
  if (largest == 0) return kNothing;
  constexpr int kHalf = 1022;  // the exponent field of 1/2; below the smallest normal it is 0
  const int exponent = static_cast<int>(std::bit_cast<std::uint64_t>(largest) >> 52) - kHalf;
  return std::clamp(exponent, kNothing + 1, kNotFinite - 1);
}

double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// Numbers of a few bits one after the other.
class BitWriter {
 public:
  explicit BitWriter(std::byte* to) : to_(to) {}
  void put(std::uint32_t number, int bits) {
    held_ |= std::uint64_t{number} << count_;
    for (count_ += bits; count_ >= 8; count_ -= 8, held_ >>= 8) {
      *to_++ = static_cast<std::byte>(held_);
    }
  }
  void flush() {
    if (count_ > 0) *to_ = static_cast<std::byte>(held_);
  }

 private:
  std::byte* to_;
  std::uint64_t held_ = 0;
  int count_ = 0;
};

class BitReader {
 public:
  explicit BitReader(const std::byte* from) : from_(from) {}
  std::uint32_t get(int bits) {
    for (; count_ < bits; count_ += 8) held_ |= std::to_integer<std::uint64_t>(*from_++) << count_;
    const auto number = static_cast<std::uint32_t>(held_ & ((std::uint64_t{1} << bits) - 1));
    held_ >>= bits;
    count_ -= bits;
    return number;
  }

 private:
  const std::byte* from_;
  std::uint64_t held_ = 0;
  int count_ = 0;
};

}  // namespace

int FewBits::bytes(int width) const { return blocks + (width * bits + 7) / 8; }

void FewBits::pack(const double* row, const double* heard, int width, CounterRandom& random,
                   std::byte* packed) const {
  const int size = width / blocks;
  const int levels = (1 << (bits - 1)) - 1;
  BitWriter numbers(packed + blocks);
  for (int b = 0; b < blocks; ++b, row += size, heard += size) {
    const int exponent = exponent_of(row, heard, size);
    packed[b] = static_cast<std::byte>(static_cast<std::int8_t>(exponent));
    const double per_level = power_of_two(-exponent) * levels;
    for (int c = 0; c < size; ++c) {
      const double uniform = random() * 0x1.0p-32;
      if (exponent == kNothing || exponent == kNotFinite) {
        numbers.put(static_cast<std::uint32_t>(levels), bits);
        continue;
      }
      const double change = row[c] - heard[c];
      const double scaled = std::abs(change) * per_level;
      const int level = static_cast<int>(std::min<double>(levels, scaled + uniform));
      numbers.put(static_cast<std::uint32_t>(levels + (change < 0 ? -level : level)), bits);
    }
  }
  numbers.flush();
}

void FewBits::add(const std::byte* packed, int width, double* heard) const {
  const int size = width / blocks;
  const int levels = (1 << (bits - 1)) - 1;
  BitReader numbers(packed + blocks);
  for (int b = 0; b < blocks; ++b) {
    const int exponent = static_cast<std::int8_t>(packed[b]);
    const double unit = exponent == kNotFinite ? std::numeric_limits<double>::quiet_NaN()
                        : exponent == kNothing ? 0
                                               : power_of_two(exponent) / levels;
    for (int c = 0; c < size; ++c) {
      *heard++ += unit * (static_cast<int>(numbers.get(bits)) - levels);
    }
  }
}

}  // namespace roadplane
