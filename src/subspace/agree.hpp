#pragma once

#include <algorithm>
#include <vector>

#include "roadplane/network/gossip.hpp"
#include "roadplane/subspace/prepare.hpp"

namespace roadplane {

/// Every hosted agent's view of the mean over all points, from each agent's sum over its own:
/// `sum(shard)` gives `width` numbers.
template <class Numbers, class Sum>
std::vector<Numbers> agree_on_mean_of(Channel& channel, const SharedPoints& points,
                                      Eigen::Index width, const Sum& sum) {
  constexpr double kTolerance = 1e-12;  // of disagreement: what rounding would leave, about
  const double points_each = static_cast<double>(points.points) / channel.network().agents();
  const auto size = static_cast<std::size_t>(width);
  std::vector<double> rows(points.shards.size() * size);
  for (std::size_t i = 0; i < points.shards.size(); ++i) {
    const Numbers own = sum(points.shards[i]) / points_each;
    std::copy_n(own.data(), size, &rows[i * size]);
  }
  gossip_average(channel, rows, static_cast<int>(width), kTolerance);
  std::vector<Numbers> views;
  for (std::size_t i = 0; i < points.shards.size(); ++i) {
    views.emplace_back(Eigen::Map<const Numbers>(&rows[i * size], width));
  }
  return views;
}

}  // namespace roadplane
