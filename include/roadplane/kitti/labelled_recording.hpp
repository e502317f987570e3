#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "roadplane/geometry/point.hpp"

namespace roadplane::kitti {

/// A polygon of a labelled scan; its topic is its name: "plane".
struct NamedPolygon {
  std::string name;
  std::vector<Eigen::Vector3d> corners;
};

/// A scan with what was found in it.
struct LabelledScan {
  std::int64_t time_ns = 0;  ///< since 1970, or since the first scan
  std::string frame_id;      ///< of the points
  PointSpan points;
  std::span<const Eigen::Vector3d> positions;  ///< take the place of the points' own; or none
  std::span<const std::uint32_t> labels;       ///< one a point
  std::span<const std::uint32_t> colors;       ///< 0x00RRGGBB, one a point
  std::vector<NamedPolygon> polygons;
  std::string record_json;
};

/// Writes labelled scans as a recording that Foxglove, Lichtblick and RViz (ROS 2) show as it is:
/// an indexed MCAP file with
///   /roadplane/points   sensor_msgs/msg/PointCloud2: x y z intensity rgb label
///   /roadplane/NAME     geometry_msgs/msg/PolygonStamped, one topic for each name of a polygon
///   /roadplane/record   the frame's record as JSON
class LabelledRecording {
 public:
  /// The file appears at the end. Throws InputError if it cannot be written.
  explicit LabelledRecording(const std::filesystem::path& path);
  /// Without finish() nothing is left behind.
  ~LabelledRecording();
  LabelledRecording(const LabelledRecording&) = delete;
  LabelledRecording& operator=(const LabelledRecording&) = delete;

  void add(const LabelledScan& scan);
  void finish();

 private:
  class File;
  std::unique_ptr<File> file_;
};

}  // namespace roadplane::kitti
