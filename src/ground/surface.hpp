#pragma once

#include <array>
#include <vector>

#include "cell_points.hpp"
#include "standing.hpp"

namespace roadplane {

/// The ground's height over the plane and its slope outwards, with their covariance.
struct GroundState {
  float height_m = 0;
  float slope = 0;  ///< [m/m]
  float height_variance = 0;
  float covariance = 0;
  float slope_variance = 0;
};

/// What a ring's place says, whatever is seen there.
struct SurfaceRing {
  float ahead_m = 0;          ///< from the ring before it, or from the sensor
  float memory = 0;           ///< part of a slope that is left after that
  float blind_memory = 0;     ///< the same, if nothing was seen before it
  float slope_noise = 0;      ///< variance that a slope gains on it
  float step_m = 0;           ///< by how much a cell's height may differ from the expected
  float across_variance = 0;  ///< of the difference between neighbouring columns
};

using SurfaceRings = std::array<SurfaceRing, ReliefGrid::kRings>;

SurfaceRings surface_rings(const ReliefOptions& options);

/// The ground of an agent's columns: one state per ring, column after column in the order of
/// points.columns(). Cells without points follow from the others.
std::vector<GroundState> find_surface(const CellPoints& points, const StandingCells& standing,
                                      const SurfaceRings& rings, const ReliefOptions& options);

}  // namespace roadplane
