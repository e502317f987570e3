#pragma once

#include <Random123/philox.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace roadplane {

/// What a stream of random numbers is for; streams of different use never overlap.
enum class RandomUse : std::uint32_t {
  batch = 1,
  graph,
  shards,
  scene,
  links,
  user,
  hypotheses,
  rounding
};

/// Counter-based random numbers (Philox4x32-10, Salmon et al., SC 2011): a pure function of
/// (seed, use, agent, iteration), so an agent draws the same numbers whoever hosts it.
/// Satisfies UniformRandomBitGenerator.
class CounterRandom {
 public:
  using result_type = std::uint32_t;

  CounterRandom(std::uint64_t seed, RandomUse use, std::uint32_t agent = 0,
                std::uint64_t iteration = 0)
      : counter_{{0, static_cast<std::uint32_t>(iteration),
                  static_cast<std::uint32_t>(iteration >> 32) ^
                      (static_cast<std::uint32_t>(use) << 24),
                  agent}},
        key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}} {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  result_type operator()() {
    if (next_ == 4) {
      block_ = r123::Philox4x32()(counter_, key_);
      ++counter_[0];
      next_ = 0;
    }
    return block_[next_++];
  }

  /// Uniform in 0..count-1 (Lemire's multiply-shift; the bias is below count / 2^32).
  std::uint32_t below(std::uint32_t count) {
    return static_cast<std::uint32_t>((std::uint64_t{(*this)()} * count) >> 32);
  }

  /// Uniform in [0, 1) with 53 bits.
  double uniform() {
    const std::uint64_t high = (*this)();
    const std::uint64_t low = (*this)();
    return static_cast<double>(((high << 32) | low) >> 11) * 0x1.0p-53;
  }

  /// Standard normal (Box-Muller; one of the pair is used, so that a draw has a fixed cost).
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }

 private:
  r123::Philox4x32::ctr_type counter_;
  r123::Philox4x32::key_type key_;
  r123::Philox4x32::ctr_type block_{};
  unsigned next_ = 4;
};

}  // namespace roadplane
