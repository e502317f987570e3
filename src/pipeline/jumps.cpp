#include "roadplane/pipeline/jumps.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace roadplane {
namespace {

constexpr int kNeighbours = 3;    // frames apart, at most: a scanner turns ten times a second
constexpr double kJumpM = 0.15;   // [m] in height
constexpr double kJumpDeg = 2.5;  // [deg] between normals

bool comparable(const FrameRecord& a, const FrameRecord& b) {
  return a.status != FrameStatus::failed && b.status != FrameStatus::failed &&
         a.sequence == b.sequence && std::abs(a.frame - b.frame) <= kNeighbours;
}

bool differ(const Plane& a, const Plane& b) {
  const double cosine = std::clamp(a.normal.dot(b.normal), -1.0, 1.0);
  return std::abs(a.offset_m - b.offset_m) > kJumpM ||
         std::acos(cosine) * 180 / std::numbers::pi > kJumpDeg;
}

}  // namespace

std::vector<FrameRecord> with_jumps_noted(std::vector<FrameRecord> records) {
  for (std::size_t k = 1; k + 1 < records.size(); ++k) {
    const FrameRecord& before = records[k - 1];
    FrameRecord& now = records[k];
    const FrameRecord& after = records[k + 1];
    if (!comparable(before, now) || !comparable(now, after)) continue;
    if (differ(before.plane, after.plane) || !differ(before.plane, now.plane) ||
        !differ(now.plane, after.plane)) {
      continue;
    }
    now.note += (now.note.empty() ? "" : "; ") +
                std::string("the plane jumps against the frames before and after");
  }
  return records;
}

}  // namespace roadplane
