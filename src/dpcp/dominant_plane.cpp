#include "dominant_plane.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "roadplane/network/gossip.hpp"

namespace roadplane {
namespace {

/// Where the one that is believed most is. Nearly equal views are not equal: agent 0 chooses for
/// all.
std::size_t choose(Channel& channel, const Reweighing& reweighing,
                   std::span<AgentPlanes* const> planes, const RoadPrior& prior) {
  if (planes.size() == 1) return 0;
  const Reweighing::Weighing weighing{planes, kSupportRule};
  const std::vector<double> support = reweighing.support({&weighing, 1});
  const RoadTest road(prior);
  std::vector<double> belief;
  for (std::size_t k = 0; k < planes.size(); ++k) {
    belief.push_back(believed(planes[k]->w.front(), support[k], support.back(), road));
  }
  const auto most = std::max_element(belief.begin(), belief.end()) - belief.begin();
  std::array<float, 1> choice{static_cast<float>(most)};
  broadcast_from(channel, 0, choice);
  return static_cast<std::size_t>(choice[0]);
}

}  // namespace

AgentPlanes settle_dominant(Channel& channel, const Reweighing& reweighing,
                            const Hypotheses& hypotheses, const RobustOptions& options) {
  const Window window{.above = options.dominant_rad, .below = options.dominant_rad};
  std::vector<AgentPlanes> planes;
  for (const std::size_t k : hypotheses.leading) {
    const Eigen::Vector4d& w = hypotheses.planes[k];
    planes.push_back({TangentFrame(w), std::vector(channel.hosted_count(), w)});
  }
  std::vector<AgentPlanes*> all;
  for (AgentPlanes& one : planes) all.push_back(&one);
  reweighing.steps(1, all, window.scaled(2));  // since a hypothesis is drawn from three points
  AgentPlanes& best = planes[choose(channel, reweighing, all, options.prior)];
  reweighing.steps(3, best, window);
  return std::move(best);
}

}  // namespace roadplane
