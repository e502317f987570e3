#pragma once

#include <cstdint>

#include "roadplane/network/channel.hpp"

namespace roadplane {

/// What a part of a solve takes of the budgets that can be told beforehand.
struct Expense {
  Traffic traffic;
  std::int64_t samples = 0;  ///< component gradients, by the agent with the largest shard
};

inline Expense operator+(const Expense& a, const Expense& b) {
  return {a.traffic + b.traffic, a.samples + b.samples};
}

/// Of flooding `width` numbers.
inline Traffic flood_traffic(const Network& network, int width = 1) {
  const std::int64_t rounds = network.flood_rounds();
  return {rounds, rounds, rounds * width * static_cast<std::int64_t>(sizeof(double))};
}

}  // namespace roadplane
