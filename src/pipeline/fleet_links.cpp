#include "fleet_links.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

#include "roadplane/base/counter_random.hpp"
#include "roadplane/pipeline/topology.hpp"

namespace roadplane {
namespace {

constexpr int kNear = 3;  // of a vehicle's links to the nearest; as many go anywhere in range

struct RadioLink {
  double length_m;
  int a;
  int b;
};

/// All pairs within range, from short to long.
std::vector<RadioLink> in_range(std::span<const Eigen::Vector3d> places, double range_m) {
  std::vector<RadioLink> links;
  for (int a = 0; a < static_cast<int>(places.size()); ++a) {
    for (int b = a + 1; b < static_cast<int>(places.size()); ++b) {
      const double length_m =
          (places[static_cast<std::size_t>(a)] - places[static_cast<std::size_t>(b)]).norm();
      if (length_m <= range_m) links.push_back({length_m, a, b});
    }
  }
  std::stable_sort(links.begin(), links.end(), [](const RadioLink& x, const RadioLink& y) {
    return std::tie(x.length_m, x.a, x.b) < std::tie(y.length_m, y.a, y.b);
  });
  return links;
}

/// Which vehicles are connected so far.
class Groups {
 public:
  explicit Groups(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int of(int k) {
    while (parent_[static_cast<std::size_t>(k)] != k) k = parent_[static_cast<std::size_t>(k)];
    return k;
  }
  /// Whether they were apart.
  bool join(int a, int b) {
    const int high = std::max(of(a), of(b));
    const int low = std::min(of(a), of(b));
    parent_[static_cast<std::size_t>(high)] = low;
    return high != low;
  }

 private:
  std::vector<int> parent_;
};

/// The links that are used: the shortest that connect all who can be, then near ones, then any, as
/// long as nobody has more than `most`.
std::vector<Graph::Edge> chosen_links(std::size_t vehicles, const std::vector<RadioLink>& possible,
                                      int most, std::uint64_t seed) {
  std::vector<int> degree(vehicles, 0);
  std::set<Graph::Edge> chosen;
  const auto take = [&](const RadioLink& link) {
    if (!chosen.insert({link.a, link.b}).second) return;
    ++degree[static_cast<std::size_t>(link.a)];
    ++degree[static_cast<std::size_t>(link.b)];
  };
  const auto fits = [&](const RadioLink& link, int limit) {
    return degree[static_cast<std::size_t>(link.a)] < limit &&
           degree[static_cast<std::size_t>(link.b)] < limit;
  };
  Groups groups(vehicles);
  for (const RadioLink& link : possible) {
    if (groups.join(link.a, link.b)) take(link);
  }
  for (const RadioLink& link : possible) {
    if (fits(link, std::min(most, kNear + 1))) take(link);
  }
  std::vector<std::pair<std::uint32_t, const RadioLink*>> shuffled;
  for (const RadioLink& link : possible) {
    CounterRandom random(seed, RandomUse::graph, static_cast<std::uint32_t>(link.a),
                         static_cast<std::uint64_t>(link.b));
    shuffled.emplace_back(random.below(1U << 30), &link);
  }
  std::sort(shuffled.begin(), shuffled.end(), [](const auto& x, const auto& y) {
    return std::tie(x.first, x.second->a, x.second->b) <
           std::tie(y.first, y.second->a, y.second->b);
  });
  for (const auto& [order, link] : shuffled) {
    if (fits(*link, most)) take(*link);
  }
  return {chosen.begin(), chosen.end()};
}

std::vector<FleetPart> radio_parts(std::span<const Eigen::Vector3d> places,
                                   const FleetConfig& config) {
  const auto edges = chosen_links(places.size(), in_range(places, config.radio_range_m),
                                  config.neighbours, config.seed);
  Groups groups(places.size());
  for (const auto& [a, b] : edges) groups.join(a, b);
  std::vector<FleetPart> parts;
  for (int first = 0; first < static_cast<int>(places.size()); ++first) {
    if (groups.of(first) != first) continue;
    std::vector<std::size_t> members;
    std::vector<int> agent(places.size(), -1);
    for (int k = first; k < static_cast<int>(places.size()); ++k) {
      if (groups.of(k) != first) continue;
      agent[static_cast<std::size_t>(k)] = static_cast<int>(members.size());
      members.push_back(static_cast<std::size_t>(k));
    }
    std::vector<Graph::Edge> own;
    for (const auto& [a, b] : edges) {
      if (groups.of(a) == first)
        own.emplace_back(agent[static_cast<std::size_t>(a)], agent[static_cast<std::size_t>(b)]);
    }
    const auto agents = static_cast<int>(members.size());
    parts.push_back({std::move(members), Network(Graph(agents, own))});
  }
  return parts;
}

}  // namespace

std::vector<FleetPart> parts_of_fleet(std::span<const Eigen::Vector3d> places,
                                      const FleetConfig& config) {
  if (places.empty()) return {};
  if (config.topology == "radio") return radio_parts(places, config);
  std::vector<std::size_t> members(places.size());
  std::iota(members.begin(), members.end(), std::size_t{0});
  const auto agents = static_cast<int>(places.size());
  std::vector<FleetPart> parts;
  parts.push_back({std::move(members), Network(make_graph(config.topology, agents, config.seed))});
  return parts;
}

}  // namespace roadplane
