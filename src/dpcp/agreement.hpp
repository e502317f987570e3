#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "roadplane/network/channel.hpp"

namespace roadplane {

/// What an agent says, and how much it believes in it. Nearly equal views lead to nearly equal
/// beliefs, but may say different things where all must say the same.
struct Vote {
  static constexpr int kBits = 52;
  double belief = 0;       ///< 0 to 1
  std::uint64_t said = 0;  ///< fewer than kBits bits
};

struct Agreed {
  double belief;
  std::uint64_t said;
};

/// Everybody takes what the one says that believes most, whoever it is: a flood of one number, in
/// which the belief comes before what is said. `votes` are the hosted agents'.
inline Agreed agree(Channel& channel, std::span<const Vote> votes) {
  constexpr double kSteps = 2045;  // of belief, in the exponent of a finite double
  double largest = 0;
  for (std::size_t i = 0; i < votes.size(); ++i) {
    if (channel.gone(static_cast<int>(i))) continue;
    const double belief = std::isfinite(votes[i].belief) ? votes[i].belief : 0;
    const auto steps =
        static_cast<std::uint64_t>(std::lround(kSteps * std::clamp(belief, 0.0, 1.0)));
    largest = std::max(largest, std::bit_cast<double>((steps + 1) << Vote::kBits | votes[i].said));
  }
  const auto all = std::bit_cast<std::uint64_t>(channel.flood_max(largest));
  const auto steps = static_cast<double>(all >> Vote::kBits) - 1;
  return {std::max(0.0, steps) / kSteps, all & ((std::uint64_t{1} << Vote::kBits) - 1)};
}

}  // namespace roadplane
