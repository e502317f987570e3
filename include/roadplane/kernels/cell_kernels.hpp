#pragma once

#include <cstddef>
#include <cstdint>

#include "roadplane/kernels/float_rows.hpp"
#include "roadplane/kernels/isa.hpp"

namespace roadplane {

/// Cells around the sensor and bins of elevation, as the loop needs them.
struct CellGrid {
  int columns;             ///< of equal azimuth, each with
  int rings;               ///< that widen with the distance,
  float rings_per_octave;  ///< of the distance and
  float inner_m;           ///< [m] up to where they hardly widen
  float most_m;            ///< [m] no cell for points farther from the plane at the sensor,
  float most_slope;        ///< [m/m] and so much more with the distance
  int elevation_bins;      ///< the middle one is that of the sensor's height
  float elevation_bin;     ///< width of one, as a tangent
};

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

/// The ground of a cell.
struct CellGround {
  float height_m;  ///< above the plane
  float up_m;      ///< up to so much above it points belong to it
};

/// The loops of the relief, one set per instruction set; all of them give the same bits. They take
/// eight points at a time: arrays of heights are padded with infinity to a multiple.
struct CellKernels {
  /// For `count` points that `own` names: their heights above the plane (with the sensor above it
  /// and a normal of unit length; infinite for an unusable point), their cells (columns * rings
  /// where there is none), and which elevations they are seen at. May write up to seven entries
  /// more.
  void (*place)(const FloatRows& points, const std::uint32_t* own, std::size_t count,
                const float* plane, const CellGrid& grid, std::uint16_t* cells, float* heights_m,
                bool* elevations);
  /// For `count` points, at the places that `own` names: the height above their cells' grounds
  /// (null: not wanted), and whether it is at most a ground's own limit, and at least -down_m.
  void (*label)(const std::uint16_t* cells, const float* heights_m, const std::uint32_t* own,
                std::size_t count, const CellGround* grounds, float down_m, float* residuals,
                std::uint8_t* within);
  HeightSums (*between)(const float* heights_m, std::size_t padded, const Band& band);
  /// Infinite if there is none.
  float (*lowest_between)(const float* heights_m, std::size_t padded, const Band& band);
  /// How many lie in each of two bands.
  void (*count)(const float* heights_m, std::size_t padded, const Band& one, const Band& other,
                int* counts);
};

const CellKernels& cell_kernels(Isa isa);

}  // namespace roadplane
