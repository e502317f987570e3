#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "roadplane/geometry/point_rows.hpp"
#include "roadplane/geometry/shards.hpp"
#include "roadplane/ground/labelling.hpp"
#include "roadplane/ground/relief_grid.hpp"
#include "roadplane/network/channel.hpp"

namespace roadplane {

/// What is known beforehand of ground and of what stands on it; docs/ground.md says what each
/// number was chosen by.
struct ReliefOptions {
  float noise_m = 0.05F;       ///< [m] of points about the ground, and of it about the plane
  float plane_slope = 0.01F;   ///< [m/m] of the ground at the sensor against the plane
  float slope_walk = 0.03F;    ///< [m/m] by which slopes change over 10 m
  float slope_memory_m = 100;  ///< [m] over which a slope is forgotten
  float blind_memory_m = 10;   ///< [m] the same where nothing is seen
  float across_slope = 0.05F;  ///< [m/m] between neighbouring columns
  float step_m = 0.1F;         ///< [m] kerbs: by how much a cell may differ from what was expected
  float step_slope = 0.2F;     ///< [m/m] and so much more for its width
  float most_step_m = 0.7F;    ///< [m] but no more than that
  float window_m = 0.12F;      ///< [m] about the lowest points of a cell
  float pull_points = 5;       ///< as many points a cell's neighbours are worth
  float trusted_points = 10;   ///< more in a cell make it no surer
  float standing_from_m = 0.3F;      ///< [m] above the ground: what is higher stands on it
  float standing_to_m = 1.5F;        ///< [m] above the ground: what is higher may hang over it
  float standing_slope = 0.02F;      ///< [m/m] the band rises so, before the ground is known
  float clutter_per_m = 1;           ///< [1/m] points not ground by a point of ground, where unseen
  float clutter_standing_per_m = 9;  ///< [1/m] the same in a cell where something stands
  float unseen_m = 0.15F;            ///< [m] as if so much of the band were never seen
  float below_m = 0.5F;              ///< [m] ground points may lie so far below their cell's height
};

/// One agent's ground: a height above its plane for each cell.
struct Relief {
  struct Cell {
    float height_m = 0;     ///< [m] above the plane; the plane's where nothing is known
    float deviation_m = 0;  ///< [m] how sure: standard deviation of the height
    float limit_m = 0;   ///< [m] above the height up to which points are ground; negative is none
    float spread_m = 0;  ///< [m] mean absolute deviation of points about the height
    int points = 0;      ///< own points at about that height
  };

  std::array<int, ReliefGrid::kColumns> begins{};  ///< of a column's cells, plus 1; 0: it has none
  std::vector<Cell> cells;                         ///< of the columns in which the agent has points

  /// By the grid's number; the plane, with no deviation, where the agent has no points.
  Cell at(int number) const {
    const int begin = begins[static_cast<std::size_t>(number / ReliefGrid::kRings)];
    if (begin == 0) return {};
    return cells[static_cast<std::size_t>(begin - 1 + number % ReliefGrid::kRings)];
  }
};

/// What an agent knows of the whole road.
struct RoadExtent {
  double area_m2 = 0;     ///< of road within 50 m of the sensor
  double near_share = 1;  ///< of the ground next to the sensor that is road; 1 if none is seen
};

/// The ground of the hosted agents and what their points are.
struct Ground {
  PointLabels labels;           ///< residuals are heights above the ground [m]
  std::vector<Relief> reliefs;  ///< by hosted agent
  /// By hosted agent: the middle of the view of a sensor that looks one way only, of length 1; 0 of
  /// one that looks around.
  std::vector<Eigen::Vector2f> ahead;
  std::optional<RoadExtent> road;  ///< where that was sought
};

/// Every agent finds the height of the ground over its hyperplane from its own points: outwards
/// from the sensor, where the plane is known or, if that is not the ground there, the plane through
/// the nearest ground, each cell takes the lowest points near the height that slopes so far let
/// expect, then the heights are smoothed on the way back (Rauch, Tung and Striebel). A cell's limit
/// is where ground becomes less likely than what stands on it. The only messages: each column's
/// nearest ground, and in which cells something stands, a number a column, passed on until they
/// have crossed the network. With `limit`, all cells have that one, above and below.
Ground find_ground(Channel& channel, const PointRows& points, const Shards& shards,
                   std::span<const Eigen::Vector4d> hyperplanes,
                   const std::optional<Threshold>& limit = std::nullopt,
                   const ReliefOptions& options = {});

/// The same with memory that is kept from frame to frame.
class GroundFinder {
 public:
  explicit GroundFinder(const ReliefOptions& options = {});
  ~GroundFinder();

  Ground operator()(Channel& channel, const PointRows& points, const Shards& shards,
                    std::span<const Eigen::Vector4d> hyperplanes,
                    const std::optional<Threshold>& limit = std::nullopt,
                    Residuals residuals = Residuals::kept);

 private:
  struct Buffers;

  ReliefOptions options_;
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace roadplane
