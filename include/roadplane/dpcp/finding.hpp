#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "roadplane/base/interval.hpp"
#include "roadplane/dpcp/road_prior.hpp"

namespace roadplane {

/// Why a plane may not be the road.
enum class Doubt : std::uint32_t {
  outside_prior = 1 << 0,  ///< not level, or at a height that was ruled out
  few_points = 1 << 1,     ///< fewer points on it than can carry a plane
  no_contrast = 1 << 2,    ///< low points lie nearly as densely beside the plane as on it
  points_below = 1 << 3,   ///< a road has nothing below it
  rival = 1 << 4,          ///< another plane carries more of the low points
  unsteady = 1 << 5,       ///< wide intervals, a plane that moves with the scale of the loss
  jump = 1 << 6,           ///< of a track: far from where the scans before say that it is
};

/// What is known of a plane besides the plane itself. All agents have the same doubts; intervals
/// are by an agent's own view, which is nearly that of all others.
struct Finding {
  Mounting mounting = Mounting::expected;
  char up_axis = 'z';                ///< axis nearest to the road's normal: x, y or z
  std::uint32_t doubts = 0;          ///< of Doubt
  std::optional<Interval> tilt_deg;  ///< 95 %, [deg] between the normal and the sensor's z axis
  std::optional<Interval> height_m;  ///< 95 %, [m] of the sensor above the plane
  double support = 0;  ///< share of the points that lie on it, the most that a hosted agent sees

  bool has(Doubt doubt) const { return (doubts & static_cast<std::uint32_t>(doubt)) != 0; }
  bool suspect() const { return doubts != 0; }
  /// One line of plain words for a record; empty if nothing is out of the ordinary.
  std::string note() const;
};

}  // namespace roadplane
