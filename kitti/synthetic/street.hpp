#pragma once

#include <cstdint>
#include <span>

#include "ground.hpp"
#include "objects.hpp"

namespace roadplane::kitti::synthetic {

/// An endless street: every 20 m lot on either side is a pure function of the seed and its number,
/// so that a frame costs the same wherever the ego vehicle is.
class Street {
 public:
  Street(const SceneOptions& options, const StreetLayout& layout);

  /// As seen from `ego_x` (street metres).
  Ground ground(double ego_x) const { return {layout_, options_, ego_x}; }

  /// The same from a vehicle in any lane.
  Ground ground(double ego_x, double lane_y) const { return {layout_, options_, ego_x, lane_y}; }

  /// What stands along the street from `behind_m` to `ahead_m` of `ego_x`, and other vehicles, at
  /// their places along the street; nobody else is about. x relative to `ego_x`.
  Primitives among(std::span<const Stand> vehicles, double ego_x, double lane_y, double behind_m,
                   double ahead_m) const;

  /// All solids from `behind_m` to `ahead_m` of the ego vehicle at `ego_x` (street metres), at
  /// `time_s`; x relative to the ego vehicle.
  Primitives around(double ego_x, double time_s, double behind_m, double ahead_m) const;

 private:
  Primitives along(double ego_x, double behind_m, double ahead_m) const;
  CounterRandom stream(std::uint32_t purpose, std::int64_t index) const;
  void add_lot(Primitives& out, bool left, std::int64_t index, double ego_x) const;
  void add_frontage(Primitives& out, bool left, double x, CounterRandom& random) const;
  void add_parked_cars(Primitives& out, bool left, std::int64_t index, double ego_x) const;
  void add_traffic(Primitives& out, double ego_x, double time_s, double behind_m,
                   double ahead_m) const;

  SceneOptions options_;
  StreetLayout layout_;
  Ground ground_;  ///< for its cross-section: things are put on their place along the street last
};

}  // namespace roadplane::kitti::synthetic
