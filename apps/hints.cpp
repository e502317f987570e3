#include "hints.hpp"

#include <algorithm>
#include <cmath>

namespace roadplane::app {
namespace {

/// No sensor on a vehicle is so close to the road.
constexpr double kLowestSensorM = 0.3;

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

/// Whether more than half of the frames that have a plane are so.
template <class Is>
bool mostly(std::span<const FrameRecord> records, const Is& is) {
  std::ptrdiff_t all = 0;
  std::ptrdiff_t found = 0;
  for (const FrameRecord& record : records) {
    if (record.status == FrameStatus::failed) continue;
    ++all;
    found += is(record) ? 1 : 0;
  }
  return 2 * found > all;
}

}  // namespace

std::vector<std::string> hints_for(std::span<const FrameRecord> records,
                                   const kitti::DataConfig& data) {
  if (!data.transform.empty() || !data.sensor_origin.empty()) return {};
  std::vector<std::string> hints;
  const bool other_axes = mostly(records, [](const FrameRecord& r) {
    return has(r.note, "axis: expected z up") || has(r.note, "z points down");
  });
  const bool at_ground = mostly(
      records, [](const FrameRecord& r) { return std::abs(r.plane.offset_m) < kLowestSensorM; });
  if (other_axes) {
    hints.emplace_back(
        "the clouds' z axis does not point up; --transform 0,0,0,ROLL,PITCH,YAW turns them "
        "(a camera's axes: --transform 0,0,0,-90,0,-90)");
  }
  if (at_ground && data.sensor_height_m == 0) {
    hints.emplace_back(
        "the ground lies at the clouds' origin; --sensor-height METRES (about 1.7 for a car) says "
        "how far above it the sensor was");
  }
  return hints;
}

}  // namespace roadplane::app
