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
struct Claim {
  static constexpr int kBits = 52;
  double belief = 0;       ///< 0 to 1
  std::uint64_t said = 0;  ///< fewer than kBits bits
};

struct Agreed {
  double belief;
  std::uint64_t said;
};

/// Everybody takes what the one says that believes most, whoever it is: a flood of one number, in
/// which the belief comes before what is said. `claims` are the hosted agents'.
inline Agreed agree(Channel& channel, std::span<const Claim> claims) {
  constexpr double kSteps = 2045;  // of belief, in the exponent of a finite double
  double largest = 0;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (channel.gone(static_cast<int>(i))) continue;
    const double belief = std::isfinite(claims[i].belief) ? claims[i].belief : 0;
    const auto steps =
        static_cast<std::uint64_t>(std::lround(kSteps * std::clamp(belief, 0.0, 1.0)));
    largest =
        std::max(largest, std::bit_cast<double>((steps + 1) << Claim::kBits | claims[i].said));
  }
  const auto all = std::bit_cast<std::uint64_t>(channel.flood_max(largest));
  const auto steps = static_cast<double>(all >> Claim::kBits) - 1;
  return {std::max(0.0, steps) / kSteps, all & ((std::uint64_t{1} << Claim::kBits) - 1)};
}

}  // namespace roadplane
