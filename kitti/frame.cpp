#include "roadplane/kitti/frame.hpp"

#include "folder.hpp"
#include "roadplane/kitti/cloud_file.hpp"
#include "roadplane/kitti/scan_file.hpp"

namespace roadplane::kitti {

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
  return text.empty() ? "nothing" : text;
}

Scan load_scan(const Frame& frame) {
  return frame.annotation ? read_annotation(*frame.annotation).scan : read_scan(frame.scan);
}

ScanShare load_share(const Frame& frame, ShardKind kind, int agents, std::uint64_t seed, int first,
                     int count) {
  if (count == agents) return whole_share(load_scan(frame), kind, agents, seed);
  if (!frame.annotation && lower_extension(frame.scan) == ".bin") {
    return take_share(ScanReader(frame.scan), kind, agents, seed, first, count);
  }
  const Scan scan = load_scan(frame);
  return take_share(ScanInMemory(scan), kind, agents, seed, first, count);
}

std::optional<Projection> load_projection(const Frame& frame) {
  if (!frame.calibration) return std::nullopt;
  return read_calibration(*frame.calibration);
}

std::optional<Labels> load_labels(const Frame& frame, std::size_t points) {
  if (!frame.label) return std::nullopt;
  return read_labels(*frame.label, points);
}

}  // namespace roadplane::kitti
