#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace roadplane {

/// How a map of how sure a road is, 0 to 255, compares with the truth at every threshold: the
/// measure of KITTI's road benchmark (Fritsch, Kuehnl, Geiger: ITSC 2013).
struct ThresholdCounts {
  std::array<std::size_t, 256> road = {};   ///< cells that are road, by what the map says
  std::array<std::size_t, 256> other = {};  ///< cells that are not

  void add(bool is_road, std::uint8_t value) { ++(is_road ? road : other)[value]; }
  ThresholdCounts& operator+=(const ThresholdCounts& more);
  std::size_t cells() const;
};

/// Shares, 0 to 1; those of nothing are 0.
struct MaxF {
  double max_f = 0;  ///< largest F1 of any threshold, ...
  int threshold = 0;
  double precision = 0;  ///< ... and what there is at that one
  double recall = 0;
  double false_positive_rate = 0;
  double average_precision = 0;  ///< over eleven recalls, as in PASCAL VOC
};

MaxF max_f(const ThresholdCounts& counts);

}  // namespace roadplane
