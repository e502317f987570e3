#pragma once

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

/// The ground of an agent's columns: one state per ring, column after column in the order of
/// points.columns(). Cells without points follow from the others.
std::vector<GroundState> find_surface(const CellPoints& points, const StandingCells& standing,
                                      const ReliefOptions& options);

}  // namespace roadplane
