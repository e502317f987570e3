#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "roadplane/ground/road_map.hpp"

namespace roadplane {

/// A place on the border of the road, in the sensor's frame.
struct BorderPoint {
  Eigen::Vector3d at;
  Sight beyond = Sight::unseen;  ///< other: an edge that is seen; else the road may be wider
};

/// How wide the road is across its own direction.
struct RoadWidth {
  double at_m = 0;      ///< [m] along the road from the sensor; behind it is negative
  double width_m = 0;   ///< [m] median of the stations within 2 m whose both edges are seen
  double spread_m = 0;  ///< [m] their standard deviation, and how finely they are told apart
};

/// Where the road ends to the left and to the right of its own direction, which need not be the
/// vehicle's. All is in the sensor's frame.
struct RoadEdges {
  /// Along the road, of length 1: of its two ways the one nearer to x (or to y, where it goes
  /// across); of a sensor that looks one way only, that.
  Eigen::Vector3d ahead = Eigen::Vector3d::UnitX();
  std::vector<BorderPoint> left;   ///< along `ahead`, one a metre
  std::vector<BorderPoint> right;  ///< the same places along the road
  std::vector<RoadWidth> widths;   ///< at those of kWidthsAtM where both edges are seen

  static constexpr double kWidthsAtM[] = {5, 10, 20, -5, -10, -20};

  /// Corners of the drivable area, as far as it is seen: along the right border and back along the
  /// left one. Empty where there is no road.
  std::vector<Eigen::Vector3d> area() const;
};

/// What an observer of all agents' labels makes of them; no agent knows it.
RoadEdges find_edges(const RoadMap& map);

/// What an observer who has the whole scan and all its labels sees of the road.
struct SeenRoad {
  RoadMap map;
  RoadEdges edges;

  SeenRoad(const PointRows& points, std::span<const std::uint8_t> road,
           const Eigen::Vector4d& hyperplane)
      : map(points, road, hyperplane), edges(find_edges(map)) {}
};

/// The size of a flat polygon, wherever it lies.
double area_m2(std::span<const Eigen::Vector3d> corners);

}  // namespace roadplane
