#include "fleet_places.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "roadplane/network/gossip.hpp"

namespace roadplane {
namespace {

constexpr double kRadiusM = 6;  // around a place for which its neighbours' views speak
constexpr int kPasses = 3;      // in which what neighbours agree on reaches theirs
// The road is not one plane if that is so far from a vehicle's own ground on average, and so many
// times as far as what neighbours see.
constexpr double kBentM = 0.04;
constexpr double kBentTimes = 1.5;
constexpr double kMostM = 1;  // [m] by which a vehicle counts in that

using Views = std::vector<std::optional<GroundView>>;

/// Where neighbours of the hosted agents are.
struct Neighbour {
  int agent;
  int row;  ///< of a table
};

std::vector<Neighbour> neighbours_of(const Channel& channel, int hosted_row) {
  const int self = channel.hosted()[static_cast<std::size_t>(hosted_row)];
  const auto agents = channel.network().graph.neighbours(self);
  std::vector<Neighbour> found;
  std::size_t next = 0;
  for (const Channel::Link& link : channel.links(hosted_row)) {
    if (link.row != hosted_row) found.push_back({agents[next++], link.row});
  }
  return found;
}

/// Which of its neighbours somebody is for an agent.
std::size_t place_among(const Graph& graph, int agent, int neighbour) {
  const auto list = graph.neighbours(agent);
  return static_cast<std::size_t>(std::lower_bound(list.begin(), list.end(), neighbour) -
                                  list.begin());
}

/// One message to all neighbours: so many floats of every hosted agent.
class Message {
 public:
  Message(const Channel& channel, int width)
      : width_(width),
        table_(static_cast<std::size_t>(channel.table_rows()) * static_cast<std::size_t>(width),
               std::numeric_limits<float>::quiet_NaN()) {}

  float* row(int row) { return &table_[static_cast<std::size_t>(row) * width_]; }
  void send(Channel& channel) {
    channel.exchange(std::as_writable_bytes(std::span(table_)),
                     static_cast<int>(width_ * sizeof(float)), 1);
  }

 private:
  std::size_t width_;
  std::vector<float> table_;
};

/// What a vehicle and its neighbours say of the ground at its place.
struct Statement {
  Neighbour from;
  Eigen::Vector3d there;  ///< where that neighbour is
  GroundView view;
};

class Places {
 public:
  Places(Channel& channel, std::span<FleetVehicle* const> hosted, const Views& own,
         std::uint64_t seed)
      : channel_(channel), hosted_(hosted), own_(own), seed_(seed) {
    listen();
  }

  /// Whether one plane will do, the same for everybody.
  bool one_plane(const GroundAgreement& single) {
    double apart_m = 0;
    std::vector<double> rows;
    for (std::size_t i = 0; i < hosted_.size(); ++i) {
      double by_plane_m = 0;
      double by_others_m = 0;
      if (own_[i] && statements_[i].size() >= 2) {
        std::vector<double> heights;
        for (const Statement& s : statements_[i])
          heights.push_back(s.view.place.z() - own_[i]->place.z());
        std::sort(heights.begin(), heights.end());
        const std::size_t half = heights.size() / 2;
        const double median =
            heights.size() % 2 == 1 ? heights[half] : (heights[half - 1] + heights[half]) / 2;
        const Eigen::Vector4d& plane = single.planes[i];
        const double tilt = own_[i]->normal.cross(plane.head<3>()).norm();
        by_plane_m = std::min(kMostM, std::abs(above_plane_m(*own_[i], plane)) + kRadiusM * tilt);
        by_others_m = std::min(kMostM, std::abs(median));
      }
      rows.insert(rows.end(), {by_plane_m, by_others_m, own_[i] ? 1.0 : 0.0});
    }
    gossip_average(channel_, rows, 3, 1e-2, {.chebyshev = true, .wire = Wire::half});
    for (std::size_t i = 0; i < hosted_.size(); ++i) {
      const double* mean = &rows[3 * i];
      const bool bent =
          mean[0] > kBentM * std::max(mean[2], 1e-9) && mean[0] > kBentTimes * mean[1];
      if (!channel_.gone(static_cast<int>(i)) && bent) apart_m = std::max(apart_m, mean[0]);
    }
    return channel_.flood_max(apart_m) == 0;
  }

  /// Of every hosted vehicle; what is heard at first counts as the speakers have been put right
  /// since.
  std::vector<PlaceGround> agree(const GroundAgreement& single) {
    std::vector<PlaceGround> grounds(hosted_.size());
    for (int pass = 0; pass < kPasses; ++pass) {
      for (std::size_t i = 0; i < hosted_.size(); ++i) grounds[i] = agree_at(i, single);
      if (pass + 1 < kPasses) put_right(grounds);
    }
    return grounds;
  }

 private:
  /// Everybody says where it is, and then what it sees of the ground at each neighbour's place.
  void listen() {
    const Graph& graph = channel_.network().graph;
    statements_.resize(hosted_.size());
    Message places(channel_, 3 * 2);  // two floats for each number: places may be far from 0
    for (std::size_t i = 0; i < hosted_.size(); ++i) {
      const Eigen::Vector3d place = own_[i] ? own_[i]->place : hosted_[i]->position();
      std::memcpy(places.row(static_cast<int>(i)), place.data(), sizeof(double) * 3);
    }
    places.send(channel_);
    const auto place_of = [&](int row) {
      Eigen::Vector3d place;
      std::memcpy(place.data(), places.row(row), sizeof(double) * 3);
      return place;
    };
    const int most = graph.max_degree();
    Message said(channel_, 4 * most);
    for (std::size_t i = 0; i < hosted_.size(); ++i) {
      float* entry = said.row(static_cast<int>(i));
      for (const Neighbour& to : neighbours_of(channel_, static_cast<int>(i))) {
        const Eigen::Vector3d place = place_of(to.row);
        if (const auto view = hosted_[i]->view_at(place)) {
          entry[0] = static_cast<float>(view->place.z() - place.z());
          entry[1] = static_cast<float>(view->normal.x() / view->normal.z());
          entry[2] = static_cast<float>(view->normal.y() / view->normal.z());
          entry[3] = static_cast<float>(view->weight);
        }
        entry += 4;
      }
    }
    said.send(channel_);
    for (std::size_t i = 0; i < hosted_.size(); ++i) {
      const int self = channel_.hosted()[i];
      const Eigen::Vector3d here = place_of(static_cast<int>(i));
      for (const Neighbour& from : neighbours_of(channel_, static_cast<int>(i))) {
        const float* entry = said.row(from.row) + 4 * place_among(graph, from.agent, self);
        if (!std::isfinite(entry[0])) continue;
        statements_[i].push_back({from,
                                  place_of(from.row),
                                  {here + Eigen::Vector3d(0, 0, entry[0]),
                                   Eigen::Vector3d(entry[1], entry[2], 1).normalized(), entry[3]}});
      }
    }
  }

  /// The neighbourhood's own pursuit: the vehicle solves it with what it has heard.
  PlaceGround agree_at(std::size_t i, const GroundAgreement& single) const {
    Views views;
    if (own_now(i)) views.push_back(own_now(i));
    for (const Statement& s : statements_[i]) views.emplace_back(s.view);
    if (views.empty()) return {single.planes[i], single.spread_m, single.scale_m, single.views};
    const Network network(Graph::complete(static_cast<int>(views.size())));
    LocalChannel within(network);
    const GroundAgreement agreed =
        agree_on_ground(within, views, {.radius_m = kRadiusM, .seed = seed_});
    return {agreed.planes.front(), agreed.spread_m, agreed.scale_m, agreed.views};
  }

  std::optional<GroundView> own_now(std::size_t i) const {
    return corrected_.empty() ? own_[i] : corrected_[i];
  }

  /// Everybody tells how far its view was from what its neighbourhood agrees on; what it has said
  /// of other places is off by the same lift and tilt.
  void put_right(std::span<const PlaceGround> grounds) {
    Message offs(channel_, 3);
    corrected_.resize(hosted_.size());
    for (std::size_t i = 0; i < hosted_.size(); ++i) {
      float* entry = offs.row(static_cast<int>(i));
      const auto own = own_now(i);
      entry[0] = entry[1] = entry[2] = 0;
      if (!own) continue;
      const Eigen::Vector4d& plane = grounds[i].plane;
      const Eigen::Vector2d slope = -plane.head<2>() / plane(2);
      const Eigen::Vector2d own_slope = -own->normal.head<2>() / own->normal.z();
      const double lift = above_plane_m(*own, plane) / plane(2);
      entry[0] = static_cast<float>(lift);
      entry[1] = static_cast<float>(own_slope.x() - slope.x());
      entry[2] = static_cast<float>(own_slope.y() - slope.y());
      corrected_[i] = GroundView{own->place - Eigen::Vector3d(0, 0, lift), plane.head<3>()};
    }
    offs.send(channel_);
    for (auto& statements : statements_) {
      for (Statement& s : statements) {
        const float* off = offs.row(s.from.row);
        const Eigen::Vector2d tilt(off[1], off[2]);
        Eigen::Vector3d normal = s.view.normal / s.view.normal.z();
        s.view.place.z() -= off[0] + tilt.dot((s.view.place - s.there).head<2>());
        normal.head<2>() += tilt;
        s.view.normal = normal.normalized();
      }
    }
  }

  Channel& channel_;
  std::span<FleetVehicle* const> hosted_;
  const Views& own_;
  std::uint64_t seed_;
  std::vector<std::vector<Statement>> statements_;  ///< by hosted vehicle
  Views corrected_;
};

Views views_of(std::span<FleetVehicle* const> hosted) {
  Views views;
  for (const FleetVehicle* vehicle : hosted) views.push_back(vehicle->view());
  return views;
}

FleetGround agree_once(Channel& channel, std::span<FleetVehicle* const> hosted,
                       std::uint64_t seed) {
  const Views views = views_of(hosted);
  FleetGround found;
  found.single = agree_on_ground(channel, views, {.seed = seed});
  if (found.single.planes.empty()) return found;
  const auto same = [&](std::size_t i) {
    return PlaceGround{found.single.planes[i], found.single.spread_m, found.single.scale_m,
                       found.single.views};
  };
  for (std::size_t i = 0; i < hosted.size(); ++i) found.places.push_back(same(i));
  if (channel.network().agents() < 3) return found;
  Places places(channel, hosted, views, seed);
  found.one_plane = places.one_plane(found.single);
  if (!found.one_plane) found.places = places.agree(found.single);
  return found;
}

}  // namespace

FleetGround agree_on_places(Channel& channel, std::span<FleetVehicle* const> hosted,
                            std::uint64_t seed) {
  FleetGround found = agree_once(channel, hosted, seed);
  // Whoever has taken another surface for the road is shown the right one, and all agree again.
  if (found.places.empty()) return found;
  double changed = 0;
  for (std::size_t i = 0; i < hosted.size(); ++i) {
    if (hosted[i]->consider(found.places[i].plane, found.places[i].spread_m)) changed = 1;
  }
  if (channel.flood_max(changed) == 0) return found;
  const std::int64_t before = found.single.iterations;
  found = agree_once(channel, hosted, seed);
  found.single.iterations += before;
  return found;
}

}  // namespace roadplane
