#pragma once

#include <cstdint>

#include "roadplane/kitti/frame.hpp"

namespace roadplane {

/// When a frame was taken [ns]: of a recording its stamp, since 1970; of others, as if ten were
/// taken in a second, by its number.
std::int64_t frame_time_ns(const kitti::Frame& frame);

}  // namespace roadplane
