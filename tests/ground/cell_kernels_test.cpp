#include "roadplane/kernels/cell_kernels.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <utility>
#include <vector>

#include "roadplane/base/counter_random.hpp"

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
  }
}

}  // namespace
}  // namespace roadplane
