#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "roadplane/geometry/four_points.hpp"
#include "roadplane/geometry/point.hpp"
#include "roadplane/ground/relief_grid.hpp"

namespace roadplane {

/// How many of a cell's heights lie in an interval, their sum and that of their squares.
struct HeightSums {
  float count = 0;
  float sum = 0;
  float squares = 0;
};

/// Heights from low_m to high_m.
struct Band {
  float low_m = 0;
  float high_m = 0;
};

/// Heights [m] above the plane, padded to whole quads with infinity.
class CellHeights {
 public:
  explicit CellHeights(std::span<const float> padded) : padded_(padded) {}

  HeightSums between(float low_m, float high_m) const;
  float lowest_between(float low_m, float high_m) const;  ///< infinite if there is none
  /// How many lie in each of two bands.
  std::array<int, 2> count(const Band& one, const Band& other) const;

 private:
  std::span<const float> padded_;
};

/// One agent's points by cell.
class CellPoints {
 public:
  static constexpr std::uint16_t kNoCell = ReliefGrid::kCells;  ///< no ground is there, nor near it
  static constexpr float kElevationBin = 0.015F;                ///< tangent
  static constexpr int kElevationBins = 256;

  /// Heights are above the hyperplane, which has the sensor above it and a normal of unit length.
  void assign(PointSpan points, std::span<const std::uint32_t> own, const Eigen::Vector4f& plane);

  std::span<const std::uint16_t> cells() const { return cells_; }  ///< of own points
  std::span<const float> heights_m() const { return heights_m_; }  ///< infinite: no point at all
  std::span<const int> columns() const { return columns_; }        ///< that hold points, in turn
  int count(int cell) const { return counts_[cell]; }
  CellHeights operator[](int cell) const {
    const auto begin = static_cast<std::size_t>(begins_[cell]);
    return CellHeights(
        std::span(sorted_).subspan(begin, padded(static_cast<std::size_t>(counts_[cell]))));
  }
  /// The part of a band of heights above a ring in which the agent has rays.
  float seen(int ring, float low_m, float high_m) const;

 private:
  static std::size_t padded(std::size_t count) { return (count + 3) / 4 * 4; }

  void measure(PointSpan points, std::span<const std::uint32_t> own, const Eigen::Vector4f& plane);
  void place_four(std::size_t first, const Coordinates& four, const Eigen::Vector4f& plane);
  void sort();

  float sensor_m_ = 0;                ///< [m] above the plane
  std::vector<std::uint16_t> cells_;  ///< of own points, padded to whole quads
  std::vector<float> heights_m_;
  std::array<bool, kElevationBins> elevations_{};  ///< at which there are points
  std::array<int, ReliefGrid::kCells> counts_{};
  std::array<int, ReliefGrid::kCells> begins_{};
  std::vector<float> sorted_;
  std::vector<int> columns_;
};

}  // namespace roadplane
