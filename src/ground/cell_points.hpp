#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "roadplane/geometry/point_rows.hpp"
#include "roadplane/ground/labelling.hpp"
#include "roadplane/ground/relief_grid.hpp"
#include "roadplane/kernels/cell_kernels.hpp"

namespace roadplane {

/// Heights [m] above the plane, padded as the loops need it.
class CellHeights {
 public:
  CellHeights(std::span<const float> padded, const CellKernels& kernels)
      : padded_(padded), kernels_(kernels) {}

  HeightSums between(float low_m, float high_m) const {
    return kernels_.between(padded_.data(), padded_.size(), {low_m, high_m});
  }
  float lowest_between(float low_m, float high_m) const {  ///< infinite if there is none
    return kernels_.lowest_between(padded_.data(), padded_.size(), {low_m, high_m});
  }
  /// How many lie in each of two bands.
  std::array<int, 2> count(const Band& one, const Band& other) const {
    std::array<int, 2> counts{};
    kernels_.count(padded_.data(), padded_.size(), one, other, counts.data());
    return counts;
  }

 private:
  std::span<const float> padded_;
  const CellKernels& kernels_;
};

/// One agent's points by cell.
class CellPoints {
 public:
  static constexpr std::uint16_t kNoCell = ReliefGrid::kCells;  ///< no ground is there, nor near it
  static constexpr float kElevationBin = 0.015F;                ///< tangent
  static constexpr int kElevationBins = 256;

  /// Heights are above the hyperplane, which has the sensor above it and a normal of unit length.
  void assign(const PointRows& points, std::span<const std::uint32_t> own,
              const Eigen::Vector4f& plane);

  /// Labels all of them by what the ground of each cell is, and of none.
  void label(std::span<const std::uint32_t> own,
             const std::array<CellGround, ReliefGrid::kCells + 1>& grounds, float down_m,
             PointLabels& labels) const {
    kernels_.label(cells_.data(), heights_m_.data(), own.data(), own.size(), grounds.data(), down_m,
                   labels.residuals.data(), labels.road.data());
  }
  std::span<const int> columns() const { return columns_; }  ///< that hold points, in turn
  int count(int cell) const { return counts_[cell]; }
  CellHeights operator[](int cell) const {
    const auto begin = static_cast<std::size_t>(begins_[cell]);
    return {std::span(sorted_).subspan(begin, padded(static_cast<std::size_t>(counts_[cell]))),
            kernels_};
  }
  /// The part of a band of heights above a ring in which the agent has rays.
  float seen(int ring, float low_m, float high_m) const;

 private:
  static std::size_t padded(std::size_t count) { return (count + 7) / 8 * 8; }

  void sort();

  const CellKernels& kernels_ = cell_kernels(active_isa());
  float sensor_m_ = 0;                ///< [m] above the plane
  std::vector<std::uint16_t> cells_;  ///< of own points, padded to a multiple of eight with kNoCell
  std::vector<float> heights_m_;      ///< infinite: no point at all
  std::array<bool, kElevationBins> elevations_{};  ///< at which there are points
  std::array<int, ReliefGrid::kCells> counts_{};
  std::array<int, ReliefGrid::kCells> begins_{};
  std::vector<float> sorted_;
  std::vector<int> columns_;
};

}  // namespace roadplane
