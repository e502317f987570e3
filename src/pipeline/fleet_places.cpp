#include "fleet_places.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

#include "roadplane/network/gossip.hpp"

namespace roadplane {
namespace {

constexpr double kRadiusM = 6;  // around a place for which its neighbours' views speak
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
  Eigen::Vector3d off = Eigen::Vector3d::Zero();  ///< its lift and slopes against its own place
};

/// The lower of the two in the middle; 0 of nothing.
double usual(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Views views_of(std::span<FleetVehicle* const> hosted) {
  Views views;
  for (const FleetVehicle* vehicle : hosted) views.push_back(vehicle->view());
  return views;
}

class Places {
 public:
  Places(Channel& channel, std::span<FleetVehicle* const> hosted, std::uint64_t seed)
      : channel_(channel), hosted_(hosted), seed_(seed), own_(views_of(hosted)), corrected_(own_) {
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

  /// Of every hosted vehicle: what its neighbourhood agrees on once all have put right what they
  /// said. A third time would carry errors of views over ground that bends farther than it
  /// averages.
  std::vector<PlaceGround> agree(const GroundAgreement& single) {
    put_right(grounds(single));
    return grounds(single);
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

  std::vector<PlaceGround> grounds(const GroundAgreement& single) const {
    std::vector<PlaceGround> found;
    for (std::size_t i = 0; i < hosted_.size(); ++i) found.push_back(agree_at(i, single));
    return found;
  }

  /// The neighbourhood's own pursuit: the vehicle solves it with what it has heard.
  PlaceGround agree_at(std::size_t i, const GroundAgreement& single) const {
    Views views;
    if (corrected_[i]) views.push_back(corrected_[i]);
    for (const Statement& s : statements_[i]) views.emplace_back(s.view);
    if (views.empty()) return {single.planes[i], single.spread_m, single.scale_m, single.views};
    const Network network(Graph::complete(static_cast<int>(views.size())));
    LocalChannel within(network);
    const GroundAgreement agreed =
        agree_on_ground(within, views, {.radius_m = kRadiusM, .seed = seed_});
    std::vector<double> high_m;
    std::vector<double> tilt_deg;
    for (const Statement& s : statements_[i]) {
      high_m.push_back(std::abs(s.off(0)));
      tilt_deg.push_back(std::atan(s.off.tail<2>().norm()) * 180 / std::numbers::pi);
    }
    return {agreed.planes.front(),    agreed.spread_m,           agreed.scale_m, agreed.views, true,
            usual(std::move(high_m)), usual(std::move(tilt_deg))};
  }

  /// Everybody tells how far its view was from what its neighbourhood agrees on; what it has said
  /// of other places is off by the same lift and tilt.
  void put_right(std::span<const PlaceGround> grounds) {
    Message offs(channel_, 3);
    for (std::size_t i = 0; i < hosted_.size(); ++i) {
      float* entry = offs.row(static_cast<int>(i));
      const auto own = corrected_[i];
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
        if (!std::isfinite(off[0])) continue;  // it has left
        s.off = Eigen::Vector3d(off[0], off[1], off[2]);
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
  std::uint64_t seed_;
  const Views own_;
  Views corrected_;                                 ///< by what the others see
  std::vector<std::vector<Statement>> statements_;  ///< by hosted vehicle
};

/// Of each hosted vehicle: what the part agrees on, or where the road is not one plane its
/// neighbourhood.
void add_places(Channel& channel, std::span<FleetVehicle* const> hosted, std::uint64_t seed,
                FleetGround& found) {
  found.places.clear();
  for (const Eigen::Vector4d& plane : found.single.planes) {
    found.places.push_back(
        {plane, found.single.spread_m, found.single.scale_m, found.single.views});
  }
  if (channel.network().agents() < 3) return;
  Places places(channel, hosted, seed);
  found.one_plane = found.one_plane && places.one_plane(found.single);
  if (!found.one_plane) found.places = places.agree(found.single);
}

}  // namespace

FleetGround agree_on_places(Channel& channel, std::span<FleetVehicle* const> hosted,
                            std::uint64_t seed, Memories last) {
  FleetGround found;
  found.single = agree_on_ground(channel, views_of(hosted), {.seed = seed}, last);
  if (found.single.planes.empty()) return found;
  add_places(channel, hosted, seed, found);
  // Whoever has taken another surface for the road is shown the right one, and all agree again.
  double changed = 0;
  for (std::size_t i = 0; i < hosted.size(); ++i) {
    if (hosted[i]->consider(found.places[i].plane, found.places[i].spread_m)) changed = 1;
  }
  if (channel.flood_max(changed) == 0) return found;
  if (found.one_plane) {
    const std::vector<std::optional<GroundMemory>> now(hosted.size(), found.single.memory);
    GroundAgreement again = agree_on_ground(channel, views_of(hosted), {.seed = seed}, now);
    again.iterations += found.single.iterations;
    again.tracked = found.single.tracked;
    found.single = std::move(again);
  }
  add_places(channel, hosted, seed, found);
  return found;
}

}  // namespace roadplane
