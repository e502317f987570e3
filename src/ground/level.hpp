#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "cell_points.hpp"
#include "roadplane/ground/relief.hpp"

namespace roadplane {

/// A plane over the plane.
class Level {
 public:
  explicit Level(Eigen::Vector3f height_and_slopes) : level_(std::move(height_and_slopes)) {}

  float height_m(int column, int ring) const;  ///< over the plane, in the middle of a cell
  /// The hyperplane from which heights are measured instead.
  Eigen::Vector4f on(const Eigen::Vector4f& plane) const;

 private:
  Eigen::Vector3f level_;  ///< [m] at the sensor, [m/m] along x and along y
};

/// The ground nearest to the sensor in each column: its ring and its height in one number. Of two,
/// the smaller one is the nearer cell, then the lower height.
using NearestGround = std::array<std::uint16_t, ReliefGrid::kColumns>;

/// In each of an agent's columns.
NearestGround find_nearest(const CellPoints& points, const ReliefOptions& options);

/// The plane through the nearest ground, if that leaves the agreed plane: in a valley, one plane
/// through both slopes can have more support than the road below the vehicle.
std::optional<Level> find_level(const NearestGround& nearest, const ReliefOptions& options);

/// The middle of the columns that have ground, of length 1, if half of the circle or more has none;
/// else 0.
Eigen::Vector2f look_ahead(const NearestGround& nearest);

}  // namespace roadplane
