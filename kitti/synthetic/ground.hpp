#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "hills.hpp"
#include "primitive.hpp"

namespace roadplane::kitti::synthetic {

/// The street's cross-section and how full it is.
struct StreetLayout {
  double half_width_m = 5.3;     ///< [m] centre line to kerb
  double platform_width_m = 0;   ///< [m] of the raised platform along the right kerb; 0: sidewalk
  double platform_height_m = 0;  ///< [m] above the road
  double clutter = 0.5;          ///< 0..1: how many cars, trees and hedges there are

  /// [m] of the parking strip along each kerb; 0 where the street is too narrow for one.
  double strip_width_m() const { return half_width_m >= 4.7 ? 2.0 : 0; }
  /// [m] centre line to the edge of the outer lane.
  double carriageway_m() const { return half_width_m - strip_width_m(); }
};

inline constexpr double kEgoLaneY = -1.6;         ///< [m] where the ego vehicle drives
inline constexpr double kSidewalkWidthM = 2.6;    ///< [m] kerb stone included
inline constexpr double kCrosswalkPeriodM = 150;  ///< [m]
inline constexpr double kCrosswalkStartM = 17;    ///< [m] first one, in street metres
inline constexpr double kCrosswalkLengthM = 3.2;  ///< [m] along the street

/// Whether a driveway leads over the sidewalk there; x in street metres.
bool on_driveway(double x, bool left);

/// How the land departs from the road plane below the ego vehicle: hills less their tangent plane
/// there, and bumps, which are too short to tilt a vehicle's plane. x is from the vehicle.
class Relief {
 public:
  Relief(const Hills& hills, const Bumps& bumps, double street_x, double lane_y);

  Height at(double x, double y) const;
  bool flat() const { return hills_.flat() && bumps_.none(); }
  double steepest() const { return 2 * hills_.steepest() + bumps_.steepest(); }

 private:
  Hills hills_;
  Bumps bumps_;
  double street_x_;
  double lane_y_;  ///< [m] where the vehicle is across the street
  Height here_;    ///< of the hills, below the vehicle
};

/// The ground as pieces across the street, straight but for the relief. On a flat street the road
/// piece lies in z = 0 exactly.
class Ground {
 public:
  /// As seen from `street_x` metres after the start of the drive, in the lane at `lane_y`.
  Ground(const StreetLayout& layout, const SceneOptions& options, double street_x = 0,
         double lane_y = kEgoLaneY);

  /// [m] above the street's plane; the same all along a flat street.
  double section_m(double y) const;
  /// [m] above the road plane below the vehicle, x from the vehicle.
  double height_m(double x, double y) const { return section_m(y) + relief_.at(x, y).z_m; }
  const Relief& relief() const { return relief_; }

  /// First hit with 0 < t < limit; `piece` is what it stands on.
  bool intersect(const Ray& ray, double limit, double& t, int& piece) const;

  /// What the ground is at a place; x in street metres from the start of the drive.
  Look look(double x, double y, int piece) const;

  Vec3 normal(double x, double y, int piece) const;

  /// [m] lateral distance of the far edge of what is paved, where gardens begin.
  double garden_y(bool left) const { return left ? vertices_[8].y : vertices_[1].y; }

 private:
  struct Vertex {
    double y, z;
  };
  static constexpr int kPieces = 9;
  static constexpr int kRoad = 4;
  using Section = std::array<Vertex, kPieces + 1>;  ///< from right to left

  static Section section(const StreetLayout& layout, const SceneOptions& options,
                         double kerb_height_m);
  static double rise(const Section& section, int piece);
  bool intersect(const Section& section, const Ray& ray, double limit, double& t, int& piece) const;
  std::optional<double> crossing(const Section& section, const Ray& ray, int piece, double from,
                                 double to) const;
  bool lowered(double x, int piece) const;  ///< x in street metres
  bool painted(double x, double y) const;
  bool on_verge(double y) const;

  StreetLayout layout_;
  Relief relief_;
  double street_x_;
  double verge_m_;
  bool driveways_;
  Section vertices_;
  Section lowered_;  ///< where driveways are
};

}  // namespace roadplane::kitti::synthetic
