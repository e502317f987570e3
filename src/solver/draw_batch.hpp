#pragma once

#include <cstdint>
#include <span>

#include "roadplane/base/counter_random.hpp"

namespace roadplane {

/// Fills `batch` with indices below `samples`, with replacement: a function of (seed, agent,
/// iteration) alone.
inline void draw_batch(std::uint64_t seed, int agent, std::int64_t iteration, std::uint32_t samples,
                       std::span<std::uint32_t> batch) {
  CounterRandom random(seed, RandomUse::batch, static_cast<std::uint32_t>(agent),
                       static_cast<std::uint64_t>(iteration));
  for (std::uint32_t& index : batch) index = random.below(samples);
}

}  // namespace roadplane
