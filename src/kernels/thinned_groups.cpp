#include "roadplane/kernels/thinned_groups.hpp"

#include <algorithm>

namespace roadplane {

ThinnedGroups::ThinnedGroups(const float* cloud, std::size_t cloud_groups,
                             std::size_t wanted_stride, std::uint32_t agent)
    : data(cloud),
      groups(cloud_groups),
      stride(std::clamp<std::size_t>(wanted_stride, 1, std::max<std::size_t>(1, groups))),
      offset(agent * 2447445413U) {}

std::size_t ThinnedGroups::count() const { return ROADPLANE_KERNELS::group_count(*this); }

std::size_t ThinnedGroups::group(std::size_t k) const {
  return ROADPLANE_KERNELS::group_at(*this, k);
}

}  // namespace roadplane
