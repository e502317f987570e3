#include "roadplane/pipeline/frame_time.hpp"

#include <cstdlib>

namespace roadplane {

std::int64_t frame_time_ns(const kitti::Frame& frame) {
  constexpr std::int64_t kPeriodNs = 100'000'000;
  if (!frame.recorded) return kPeriodNs * frame.number;
  return std::strtoll(frame.recorded->stamp.c_str(), nullptr, 10);  // "_2" may follow
}

}  // namespace roadplane
