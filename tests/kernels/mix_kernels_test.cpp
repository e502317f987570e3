#include "roadplane/kernels/mix_kernels.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "roadplane/base/counter_random.hpp"

namespace roadplane {
namespace {

constexpr std::size_t kWidth = 24;  // room for all widths that are tried

/// What is hard to round: halves' smallest and largest, ties, and beyond both ends.
std::vector<double> numbers(std::uint64_t seed) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<double> some{0,      -0.0,     1,         2049,    2051,  65504, 65519.9, 65520,
                           -65536, 1e9,      -1e300,    6.1e-5,  6e-5,  6e-8,  2.98e-8, 2.99e-8,
                           1e-9,   -5.96e-8, kInfinity, 1 / 3.0, -1e-5, 0.1,   3.14159, -2.5e-7};
  CounterRandom random(seed, RandomUse::user);
  for (double& number : some) {
    if (seed > 0) number = random.normal() * std::exp(10 * random.normal());
  }
  return some;
}

RowLayout one_row(std::size_t width) { return {1, width, kWidth, (width + 3) / 4 * 8}; }

std::vector<std::byte> packed(Isa isa, const std::vector<double>& row,
                              const std::vector<double>& heard, std::size_t width) {
  std::vector<std::byte> bytes((width + 3) / 4 * 8);
  mix_kernels(isa).pack_halves(one_row(width), row.data(), heard.data(), bytes.data());
  return bytes;
}

TEST(MixKernels, HalvesAreTheNearestOnEveryInstructionSet) {
  const std::vector<double> nothing(kWidth, 0.0);
  for (const Isa isa : available_isas()) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const std::vector<double> row = numbers(seed);
      const auto bytes = packed(isa, row, nothing, kWidth);
      std::vector<double> heard(kWidth, 0.0);
      mix_kernels(isa).add_halves(one_row(kWidth), bytes.data(), heard.data());
      for (std::size_t k = 0; k < kWidth; ++k) {
        const Eigen::half half(static_cast<float>(row[k]));
        Eigen::half told;
        std::memcpy(&told, &bytes[2 * k], sizeof(told));
        EXPECT_EQ(told.x, half.x) << to_string(isa) << ' ' << row[k];
        EXPECT_EQ(heard[k], static_cast<double>(static_cast<float>(half))) << to_string(isa);
      }
    }
    std::vector<double> bad(kWidth, std::numeric_limits<double>::quiet_NaN());
    std::vector<double> heard(kWidth, 0.0);
    mix_kernels(isa).add_halves(one_row(kWidth), packed(isa, bad, nothing, kWidth).data(),
                                heard.data());
    EXPECT_TRUE(std::isnan(heard[5])) << to_string(isa);
  }
}

TEST(MixKernels, TellTheChangeInNoMoreBytesThanItTakes) {
  for (const Isa isa : available_isas()) {
    for (std::size_t width = 1; width <= kWidth; ++width) {
      CounterRandom random(width, RandomUse::user);
      std::vector<double> row(kWidth, 0.0);
      std::vector<double> heard(kWidth, 0.0);
      for (std::size_t k = 0; k < width; ++k) {
        row[k] = random.normal();
        heard[k] = random.normal();
      }
      const auto bytes = packed(isa, row, heard, width);  // the sanitizer sees more
      EXPECT_EQ(bytes, packed(Isa::plain, row, heard, width));
      std::vector<double> now = heard;
      mix_kernels(isa).add_halves(one_row(width), bytes.data(), now.data());
      for (std::size_t k = 0; k < kWidth; ++k) {
        EXPECT_NEAR(now[k] - heard[k], row[k] - heard[k], std::abs(row[k] - heard[k]) / 1024);
      }
    }
  }
}

TEST(MixKernels, RowsOfATableAreEachOnTheirOwn) {
  constexpr std::size_t kRows = 3;
  for (const Isa isa : available_isas()) {
    for (std::size_t width = 1; width <= kWidth; ++width) {
      std::vector<double> table;
      for (std::uint64_t row = 1; row <= kRows; ++row) {
        const auto some = numbers(row);
        table.insert(table.end(), some.begin(), some.end());
      }
      RowLayout layout = one_row(width);
      layout.rows = kRows;
      std::vector<double> heard(table.size(), 0.0);
      std::vector<std::byte> bytes(kRows * layout.packed_bytes);
      mix_kernels(isa).pack_halves(layout, table.data(), heard.data(), bytes.data());
      mix_kernels(isa).add_halves(layout, bytes.data(), heard.data());
      for (std::size_t row = 0; row < kRows; ++row) {
        std::vector<double> own(kWidth, 0.0);
        const auto packed_row = packed(isa, numbers(row + 1), own, width);
        mix_kernels(isa).add_halves(one_row(width), packed_row.data(), own.data());
        const std::span told(&bytes[row * layout.packed_bytes], layout.packed_bytes);
        EXPECT_TRUE(std::ranges::equal(told, packed_row)) << to_string(isa) << ' ' << width;
        EXPECT_TRUE(std::ranges::equal(std::span(&heard[row * kWidth], kWidth), own));
      }
    }
  }
}

TEST(MixKernels, CombineRowsByTheirWeightsWithTheSameBits) {
  const std::vector<WeightedRow> links{{0, 0.5}, {2, 0.125}, {3, 0.375}};
  for (std::size_t width = 1; width <= kWidth; ++width) {
    std::vector<double> table;
    for (std::uint64_t row = 1; row <= 4; ++row) {
      const auto some = numbers(row);
      table.insert(table.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(width));
    }
    for (const auto& [backward, keeps] : {std::pair{0.0, true}, {0.25, true}, {0.25, false}}) {
      const auto combined = [&, backward = backward, keeps = keeps](Isa isa) {
        std::vector<double> row = numbers(9);
        mix_kernels(isa).combine(links.data(), links.size(), table.data(), width, width,
                                 {1.5, backward}, keeps ? &table[width] : nullptr, table.data(),
                                 row.data());
        return row;
      };
      const auto plain = combined(Isa::plain);
      for (const Isa isa : available_isas()) EXPECT_EQ(combined(isa), plain) << to_string(isa);
      const std::vector<double> before = numbers(9);
      for (std::size_t c = 0; c < width; ++c) {
        const auto at = [&](std::size_t row) { return table[row * width + c]; };
        const double sum = 0.5 * at(0) + 0.125 * at(2) + 0.375 * at(3);
        const double expected =
            1.5 * sum - backward * before[c] + (keeps ? 1.5 * (at(1) - at(0)) : 0);
        EXPECT_NEAR(
            plain[c], expected,
            1e-12 * (1 + std::abs(at(0)) + std::abs(at(1)) + std::abs(at(2)) + std::abs(at(3))));
      }
      for (std::size_t c = width; c < kWidth; ++c) EXPECT_EQ(plain[c], before[c]);
    }
  }
}

}  // namespace
}  // namespace roadplane
