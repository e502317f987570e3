#include "roadplane/kernels/cell_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <vector>

#include "roadplane/base/counter_random.hpp"
#include "roadplane/geometry/point_rows.hpp"
#include "support/random_data.hpp"

namespace roadplane {
namespace {

/// Points of a shard: runs of the scan, then some that lie far apart, one behind the other.
std::vector<std::uint32_t> places() {
  std::vector<std::uint32_t> own;
  for (std::uint32_t k = 40; k < 77; ++k) own.push_back(k);
  for (std::uint32_t k = 100; k < 124; ++k) own.push_back(k);
  for (const std::uint32_t k : {9U, 3U, 30U, 1U, 8U, 7U, 6U, 10U, 2U}) own.push_back(k);
  return own;
}

TEST(CellKernels, LabelEveryPointByItsOwnCell) {
  const std::vector<CellGround> grounds{{0.0F, 0.1F}, {1.0F, 0.3F}, {-0.5F, 0.2F}, {0.0F, -1.0F}};
  const std::vector<std::uint32_t> own = places();
  CounterRandom random(5, RandomUse::user);
  std::vector<std::uint16_t> cells((own.size() + 7) / 8 * 8);
  std::vector<float> heights_m(cells.size());
  for (std::size_t k = 0; k < cells.size(); ++k) {
    cells[k] = k < 24 ? 1 : static_cast<std::uint16_t>(random.below(4));  // one cell, then many
    heights_m[k] = static_cast<float>(1.5 * random.uniform() - 0.2);
  }
  heights_m[30] = std::numeric_limits<float>::infinity();
  constexpr float kDown = 0.4F;
  for (const Isa isa : available_isas()) {
    std::vector<float> residuals(130, -7.0F);
    std::vector<std::uint8_t> within(130, 7);
    cell_kernels(isa).label(cells.data(), heights_m.data(), own.data(), own.size(), grounds.data(),
                            kDown, residuals.data(), within.data());
    std::vector<float> expected(130, -7.0F);
    std::vector<std::uint8_t> inside(130, 7);
    for (std::size_t k = 0; k < own.size(); ++k) {
      const CellGround& ground = grounds[cells[k]];
      expected[own[k]] = heights_m[k] - ground.height_m;
      inside[own[k]] = expected[own[k]] <= ground.up_m && expected[own[k]] >= -kDown ? 1 : 0;
    }
    EXPECT_EQ(residuals, expected) << to_string(isa);
    EXPECT_EQ(within, inside) << to_string(isa);
    std::fill(within.begin(), within.end(), 7);
    cell_kernels(isa).label(cells.data(), heights_m.data(), own.data(), own.size(), grounds.data(),
                            kDown, nullptr, within.data());
    EXPECT_EQ(within, inside) << to_string(isa) << " without residuals";
  }
}

TEST(CellKernels, AllInstructionSetsGiveTheSameBits) {
  constexpr CellGrid kGrid{.columns = 64,
                           .rings = 48,
                           .rings_per_octave = 8,
                           .inner_m = 3,
                           .most_m = 3,
                           .most_slope = 0.15F,
                           .elevation_bins = 256,
                           .elevation_bin = 0.015F};
  Scan scan = test::random_scan(20'003, 11);
  scan[70].y = std::numeric_limits<float>::quiet_NaN();
  scan[71] = {};
  const PointRows rows(scan);
  std::vector<std::uint32_t> own;
  for (std::uint32_t k = 0; k < scan.size(); k += k % 5 == 0 ? 2 : 1) own.push_back(k);
  const std::size_t room = (own.size() + 7) / 8 * 8;
  const float plane[] = {0.01F, -0.02F, 0.99975F, 1.7F};
  const auto found = [&](Isa isa) {
    const CellKernels& kernels = cell_kernels(isa);
    std::vector<std::uint16_t> cells(room, 0);
    std::vector<float> heights_m(room, 0);
    std::vector<std::uint8_t> elevations(256, 0);
    static_assert(sizeof(bool) == sizeof(std::uint8_t));
    kernels.place(rows.floats(), own.data(), own.size(), plane, kGrid, cells.data(),
                  heights_m.data(), reinterpret_cast<bool*>(elevations.data()));
    std::fill(cells.begin() + static_cast<std::ptrdiff_t>(own.size()), cells.end(), 0);
    std::fill(heights_m.begin() + static_cast<std::ptrdiff_t>(own.size()), heights_m.end(),
              std::numeric_limits<float>::infinity());
    const Band low{-0.8F, 0.1F};
    const Band high{0.1F, 2.0F};
    const HeightSums sums = kernels.between(heights_m.data(), room, low);
    int counts[2];
    kernels.count(heights_m.data(), room, low, high, counts);
    EXPECT_EQ(counts[0], static_cast<int>(sums.count)) << to_string(isa);
    const std::vector<float> numbers{sums.count, sums.sum, sums.squares,
                                     kernels.lowest_between(heights_m.data(), room, high),
                                     static_cast<float>(counts[1])};
    return std::tuple(cells, heights_m, elevations, numbers);
  };
  const auto plain = found(Isa::plain);
  for (const Isa isa : available_isas()) EXPECT_EQ(found(isa), plain) << to_string(isa);
  EXPECT_GT(std::get<3>(plain)[0], 1000);
  const auto& elevations = std::get<2>(plain);
  EXPECT_GT(std::count(elevations.begin(), elevations.end(), 1), 20);
}

}  // namespace
}  // namespace roadplane
