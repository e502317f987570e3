#include "roadplane/network/gossip.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "roadplane/input_error.hpp"

namespace roadplane {

int gossip_rounds(double slem, double tolerance, bool chebyshev) {
  if (!(tolerance > 0 && tolerance < 1)) {
    throw InputError("gossip tolerance", "a number in (0, 1)", std::to_string(tolerance));
  }
  if (!chebyshev) {
    return slem <= tolerance ? 1
                             : static_cast<int>(std::ceil(std::log(tolerance) / std::log(slem)));
  }
  GossipOptions gossip{1, true};
  while (contraction(slem, gossip) > tolerance) ++gossip.rounds;
  return gossip.rounds;
}

void gossip_average(Channel& channel, std::span<double> hosted_rows, int width, double tolerance,
                    bool chebyshev) {
  if (channel.network().agents() == 1) return;
  const int rounds = gossip_rounds(channel.network().slem, tolerance, chebyshev);
  Mixer mixer(channel, width, {rounds, chebyshev});
  for (int r = 0; r < channel.hosted_count(); ++r) {
    std::copy_n(hosted_rows.data() + r * width, width, mixer.outgoing(r));
  }
  mixer.mix();
  for (int r = 0; r < channel.hosted_count(); ++r) {
    std::copy_n(mixer.mixed(r), width, hosted_rows.data() + r * width);
  }
}

}  // namespace roadplane
