#include "roadplane/network/gossip.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "roadplane/base/field_error.hpp"

namespace roadplane {
namespace {

/// Largest and smallest entry of every column over all agents, found out by flooding.
class Spread {
 public:
  Spread(Channel& channel, std::span<const double> hosted_rows, int width)
      : extremes_(2 * static_cast<std::size_t>(width), -std::numeric_limits<double>::infinity()) {
    for (std::size_t k = 0; k < hosted_rows.size(); ++k) {
      if (channel.gone(static_cast<int>(k) / width)) continue;
      double* extremes = &extremes_[2 * (k % width)];
      extremes[0] = std::max(extremes[0], hosted_rows[k]);
      extremes[1] = std::max(extremes[1], -hosted_rows[k]);
    }
    channel.flood_max(extremes_);
  }

  /// Whether no column is wider than `tolerance` times what it was, or than rounding makes it. A
  /// column that is not finite never gets narrower.
  bool within(double tolerance, const Spread& before, double rounding) const {
    for (std::size_t k = 0; k < extremes_.size(); k += 2) {
      const double was = before.extremes_[k] + before.extremes_[k + 1];
      const double magnitude =
          std::max(std::abs(before.extremes_[k]), std::abs(before.extremes_[k + 1]));
      const double limit = std::max(tolerance * was, rounding * magnitude);
      if (std::isfinite(was) && extremes_[k] + extremes_[k + 1] > limit) return false;
    }
    return true;
  }

 private:
  std::vector<double> extremes_;  ///< per column its largest entry and minus its smallest
};

void mix(Channel& channel, std::span<double> hosted_rows, Mixer& mixer) {
  const int width = mixer.width();
  for (int r = 0; r < channel.hosted_count(); ++r) {
    std::copy_n(hosted_rows.data() + r * width, width, mixer.outgoing(r));
  }
  mixer.mix();
  for (int r = 0; r < channel.hosted_count(); ++r) {
    std::copy_n(mixer.mixed(r), width, hosted_rows.data() + r * width);
  }
}

}  // namespace

int gossip_rounds(double slem, double tolerance, bool chebyshev) {
  require(tolerance > 0 && tolerance < 1, "gossip_tolerance", "a number in (0, 1)", tolerance);
  if (!chebyshev) {
    return slem <= tolerance ? 1
                             : static_cast<int>(std::ceil(std::log(tolerance) / std::log(slem)));
  }
  GossipOptions gossip{1, true};
  while (contraction(slem, gossip) > tolerance) ++gossip.rounds;
  return gossip.rounds;
}

void gossip_average(Channel& channel, std::span<double> hosted_rows, int width, double tolerance,
                    GossipOptions how) {
  const Network& network = channel.network();
  if (network.agents() == 1) return;
  const bool steady = network.steady();
  how.once = true;
  how.rounds = gossip_rounds(network.round_factor, tolerance, how.chebyshev && steady);
  Mixer mixer(channel, width, how);
  if (steady) return mix(channel, hosted_rows, mixer);

  // How many rounds are enough depends on which links fail: the agents look, and go on if not,
  // though not for ever.
  constexpr int kMost = 1000;
  const double epsilon = how.usable_wire(network) == Wire::full
                             ? std::numeric_limits<double>::epsilon()
                             : double{std::numeric_limits<float>::epsilon()};
  const double rounding = 16 * epsilon / (1 - network.round_factor);
  const Spread before(channel, hosted_rows, width);
  for (int k = 0; k < kMost; ++k) {
    mix(channel, hosted_rows, mixer);
    if (Spread(channel, hosted_rows, width).within(tolerance, before, rounding)) return;
  }
}

namespace {

template <class Number>
void flood_from(Channel& channel, int agent, std::span<Number> numbers) {
  const auto hosted = channel.hosted();
  if (std::find(hosted.begin(), hosted.end(), agent) == hosted.end()) {
    std::fill(numbers.begin(), numbers.end(), -std::numeric_limits<Number>::infinity());
  }
  channel.flood_max(numbers);
}

}  // namespace

void broadcast_from(Channel& channel, int agent, std::span<double> numbers) {
  flood_from(channel, agent, numbers);
}

void broadcast_from(Channel& channel, int agent, std::span<float> numbers) {
  flood_from(channel, agent, numbers);
}

}  // namespace roadplane
