#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "roadplane/viz/labelled_cloud.hpp"

namespace roadplane::viz {

/// A scan thinned out and packed for the page's 3-D view.
struct ReportCloud {
  std::size_t of = 0;  ///< points of the whole scan
  std::size_t points = 0;
  double quantum_m = 0;                ///< [m] what 1 means in `xyz`
  std::vector<std::int16_t> xyz;       ///< x y z per point
  std::vector<std::uint8_t> road;      ///< a bit a method, whole bytes per point
  std::vector<std::uint8_t> truth;     ///< as the cloud's; empty if unknown
  std::vector<std::uint8_t> agents;    ///< the agent's colour per point; empty if unknown
  std::vector<std::int8_t> height_cm;  ///< above the ground, at most 1.27 m; empty if unknown
};

/// A scanner reaches no farther; points beyond would cost precision.
inline constexpr float kScanReachM = 200;

/// At most `most` points of the scan within `reach_m`, evenly spread over its file. `road_of` has
/// the labels of every method, one byte a point; truth, owner and heights are the cloud's, its own
/// labels are not looked at. Throws std::invalid_argument if some labels are not as many as the
/// points.
ReportCloud pack_cloud(const LabelledCloud& cloud,
                       std::span<const std::vector<std::uint8_t>> road_of, std::size_t most,
                       float reach_m = kScanReachM);

}  // namespace roadplane::viz
