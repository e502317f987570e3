#include "roadplane/kitti/frame.hpp"

#include "column_check.hpp"
#include "folder.hpp"
#include "nuscenes.hpp"
#include "recorded_scan.hpp"
#include "roadplane/base/file_reader.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/kitti/scan_file.hpp"

namespace roadplane::kitti {

namespace {

/// Whether a scan's bytes are the points, so that a part of them can be read alone.
bool is_plain(const Frame& frame) {
  if (frame.annotation || frame.recorded || frame.reading.to_sensor) return false;
  const RawFormat format = frame.reading.format.value_or(raw_format_of_name(frame.scan));
  return lower_extension(frame.scan) == ".bin" && are_points(format);
}

}  // namespace

std::string Frame::stem() const { return recorded ? recorded->stamp : stem_of(scan); }

std::string Frame::name() const { return utf8_of_name(sequence + "/" + stem()); }

std::string Frame::contents() const {
  std::string text;
  const auto add = [&text](bool present, const char* what) {
    if (present) text += (text.empty() ? "" : ", ") + std::string(what);
  };
  add(image.has_value(), "image");
  add(calibration.has_value(), "calibration");
  add(label.has_value(), "label");
  add(annotation.has_value(), "annotation");
  add(plane_file.has_value(), "plane file");
  add(road_picture.has_value(), "road picture");
  return text.empty() ? "nothing" : text;
}

Scan load_scan(const Frame& frame) {
  if (frame.recorded) return read_recorded(*frame.recorded, frame.reading);
  return frame.annotation ? read_annotation(*frame.annotation).scan
                          : read_scan(frame.scan, frame.reading);
}

ScanShare load_share(const Frame& frame, ShardKind kind, int agents, std::uint64_t seed, int first,
                     int count) {
  const bool whole = count == agents;
  if (!is_plain(frame)) {
    Scan scan = load_scan(frame);
    return whole ? whole_share(std::move(scan), kind, agents, seed)
                 : take_share(ScanInMemory(scan), kind, agents, seed, first, count);
  }
  const ScanReader scan(frame.scan);
  if (!whole) {
    check_raw_columns(scan, frame.scan.string());
    return take_share(scan, kind, agents, seed, first, count);
  }
  ScanShare share = whole_share(scan, kind, agents, seed);
  check_raw_columns(ScanInMemory(share.points), frame.scan.string());  // no more calls to read
  return share;
}

std::size_t count_points(const Frame& frame) {
  if (frame.recorded) return count_recorded(*frame.recorded);
  if (frame.annotation || lower_extension(frame.scan) != ".bin") return load_scan(frame).size();
  const RawFormat format = frame.reading.format.value_or(raw_format_of_name(frame.scan));
  return raw_points(FileReader(frame.scan).size(), format, frame.scan.string());
}

std::optional<Projection> load_projection(const Frame& frame) {
  if (!frame.calibration) return std::nullopt;
  const Projection of_file = read_calibration(*frame.calibration);
  if (!frame.reading.to_sensor) return of_file;
  return Projection(of_file.matrix() * frame.reading.to_sensor->inverse().matrix());
}

std::optional<Plane> plane_in_file(const Eigen::Vector4d& w, const Frame& frame) {
  if (!frame.reading.to_sensor) return Plane::from_hyperplane(w);
  const Eigen::Isometry3d& to_sensor = *frame.reading.to_sensor;
  const Eigen::Vector3d up = to_sensor.linear().transpose() * Eigen::Vector3d::UnitZ();
  return Plane::from_hyperplane(to_sensor.matrix().transpose() * w, up);
}

std::vector<Eigen::Vector3d> points_in_file(PointSpan points, const Frame& frame) {
  if (!frame.reading.to_sensor) return {};
  const Eigen::Isometry3d to_file = frame.reading.to_sensor->inverse();
  std::vector<Eigen::Vector3d> placed;
  placed.reserve(points.size());
  for (const Point& p : points) {
    const Eigen::Vector3d at_sensor(p.x, p.y, p.z);
    placed.push_back(at_sensor.isZero(0) ? at_sensor : Eigen::Vector3d(to_file * at_sensor));
  }
  return placed;
}

Eigen::Vector4d hyperplane_at_sensor(const Eigen::Vector4d& w_in_file, const Frame& frame) {
  if (!frame.reading.to_sensor) return w_in_file;
  return (frame.reading.to_sensor->inverse().matrix().transpose() * w_in_file).normalized();
}

std::optional<Labels> load_labels(const Frame& frame, std::size_t points) {
  if (!frame.label) return std::nullopt;
  return is_lidarseg(*frame.label) ? read_lidarseg(*frame.label, points)
                                   : read_labels(*frame.label, points);
}

}  // namespace roadplane::kitti
