#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "banded_solve.hpp"
#include "road_grid.hpp"
#include "road_sums.hpp"
#include "roadplane/geometry/point_rows.hpp"
#include "roadplane/ground/road.hpp"
#include "roadplane/kernels/cell_kernels.hpp"

namespace roadplane {

/// What all agents of a process put their points into, one after the other.
struct RoadScratch {
  struct Sum {
    float points = 0;
    float height_m = 0;
    float square_m2 = 0;
    float reflectance = 0;
    float reflecting = 0;  ///< points whose reflectance is known
  };

  std::vector<Sum> sums = std::vector<Sum>(RoadGrid::kCells);  ///< 0 between agents
  std::vector<std::uint8_t> occupied;
  std::vector<std::uint8_t> road = std::vector<std::uint8_t>(RoadGrid::kCells + 1);
  BandedSystem system;
};

/// What is known of the road when the cells are asked.
struct RoadKnowledge {
  LearntCue reflectance;
  LearntCue roughness;
  float height_m = 0;  ///< off the profile at which road and other ground are equally likely
};

/// One agent's ground in fine cells, and how much each of them is road.
class RoadCells {
 public:
  /// Heights are above the hyperplane, which has the sensor above it and a normal of unit length;
  /// `ground` tells which points are ground. `ahead` is where a sensor looks that looks one way
  /// only, else 0.
  void assign(const PointRows& points, std::span<const std::uint32_t> own,
              const Eigen::Vector4f& plane, const PointLabels& ground, const Eigen::Vector2f& ahead,
              const RoadOptions& options, RoadScratch& scratch);

  /// What the cells tell of the road, as far as they are known to be road or not.
  RoadSums sums(const RoadOptions& options) const;
  /// Asks all cells anew; in blocks of four, unless it is for the last time.
  void judge(const RoadKnowledge& known, bool last, const RoadOptions& options,
             RoadScratch& scratch);
  /// Takes the label off own points that are not road.
  void label(std::span<const std::uint32_t> own, RoadScratch& scratch, PointLabels& labels) const;

 private:
  struct Cell {
    float height_m = 0;     ///< over the plane; in a short gap, the nearest cell's
    float roughness = -1;   ///< [m^1/2] root of its points' standard deviation; negative: unknown
    float reflectance = 0;  ///< mean of its points
    float off_m = 0;        ///< over the road's profile
    float odds = 0;         ///< of road by what was learnt from the scan
    float road = 0;         ///< 0 to 1
    int source = -1;        ///< row of the cell that it takes its height from; -1: unknown
    bool seen = false;      ///< it has points itself
    bool seed = false;
    float across = 0;  ///< link to the next column
    float along = 0;   ///< link to the next row
  };

  /// What depends on a row's distance alone.
  struct Row {
    float range_m = 0;
    float area_m2 = 0;  ///< of a cell
    CurvePlace place;
  };

  std::size_t gather(const PointRows& points, std::span<const std::uint32_t> own,
                     const Eigen::Vector4f& plane, const PointLabels& ground, RoadScratch& scratch);
  int level_of(std::span<const RoadScratch::Sum> sums, std::size_t points,
               std::vector<std::uint8_t>& occupied) const;
  void lay_out();
  void fill(const RoadScratch& scratch);
  RoadScratch::Sum sum_of(int row, int column, const RoadScratch& scratch) const;
  void close_gaps();
  void link(const RoadOptions& options);
  void find_seeds(const Eigen::Vector2f& ahead, const RoadOptions& options);
  void follow_profile(bool first, const RoadOptions& options);
  void walk(int halvings, float height_m, const RoadOptions& options, RoadScratch& scratch);

  int columns_of_level() const { return RoadGrid::kColumns >> level_; }
  Cell& at(int row, int column) {
    return cells_[static_cast<std::size_t>(row * columns_ + column)];
  }
  const Cell& at(int row, int column) const {
    return cells_[static_cast<std::size_t>(row * columns_ + column)];
  }
  /// Position of a row and column relative to the sensor.
  Eigen::Vector2f position(int row, int column) const;

  const CellKernels& kernels_ = cell_kernels(active_isa());
  std::vector<std::uint16_t> places_;  ///< of own points, in the finest grid
  std::vector<float> heights_m_;
  std::array<bool, RoadGrid::kColumns> used_{};
  int level_ = 0;         ///< how often cells were put together two by two
  int first_column_ = 0;  ///< columns are counted from here, and do not go round
  int columns_ = 0;
  int first_row_ = 0;
  int rows_ = 0;
  bool judged_ = false;
  std::vector<Row> row_;
  std::vector<Cell> cells_;  ///< row after row
};

}  // namespace roadplane
