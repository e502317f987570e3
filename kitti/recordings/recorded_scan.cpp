#include "recorded_scan.hpp"

#include "cloud_points.hpp"
#include "column_check.hpp"

namespace roadplane::kitti {
namespace {

std::string where_of(const RecordedScan& scan) {
  return scan.recording->path().string() + ": " + scan.topic->name + " at " + scan.stamp;
}

}  // namespace

Scan read_recorded(const RecordedScan& recorded, const ScanReading& reading) {
  const std::string where = where_of(recorded);
  const FileBytes message = recorded.recording->read(*recorded.topic, recorded.place);
  const CloudMessage cloud = read_cloud_message(message, recorded.topic->encoding, where);
  Scan scan = points_of(cloud, reading.to_sensor, where);
  check_columns(ScanInMemory(scan), where, "");
  return scan;
}

std::size_t count_recorded(const RecordedScan& recorded) {
  const FileBytes head = recorded.recording->read(*recorded.topic, recorded.place, kHeaderBytes);
  WireReader reader(head, recorded.topic->encoding, where_of(recorded));
  read_header(reader);
  const auto height = reader.value<std::uint32_t>();
  return std::size_t{height} * reader.value<std::uint32_t>();
}

}  // namespace roadplane::kitti
