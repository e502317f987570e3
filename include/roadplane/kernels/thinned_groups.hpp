#pragma once

#include <cstddef>
#include <cstdint>

#include "roadplane/kernels/per_isa.hpp"

namespace roadplane {

/// One group of 16 columns out of every `stride` of a cloud. Which one changes from stride to
/// stride and from agent to agent: a thinned scan must not fall into step with the sensor's rounds,
/// nor all agents look at the same places where their shards interleave.
struct ThinnedGroups {
  const float* data;
  std::size_t groups;  ///< in the whole cloud
  std::size_t stride;
  std::uint32_t offset;

  ThinnedGroups(const float* cloud, std::size_t cloud_groups, std::size_t wanted_stride,
                std::uint32_t agent);

  std::size_t count() const;               ///< groups that are looked at
  std::size_t group(std::size_t k) const;  ///< the k-th of them
};

namespace ROADPLANE_KERNELS {

/// Of the k-th stride, spread evenly (the R2 sequence of Roberts, 2018).
inline std::size_t group_at(const ThinnedGroups& columns, std::size_t k) {
  const std::uint32_t fraction = static_cast<std::uint32_t>(k) * 3242174889U + columns.offset;
  return k * columns.stride +
         static_cast<std::size_t>((std::uint64_t{fraction} * columns.stride) >> 32);
}

inline std::size_t group_count(const ThinnedGroups& columns) {
  const std::size_t strides = (columns.groups + columns.stride - 1) / columns.stride;
  return strides > 0 && group_at(columns, strides - 1) >= columns.groups ? strides - 1 : strides;
}

}  // namespace ROADPLANE_KERNELS
}  // namespace roadplane
