#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "roadplane/geometry/plane.hpp"
#include "roadplane/geometry/point.hpp"
#include "roadplane/geometry/projection.hpp"
#include "roadplane/geometry/scan_share.hpp"
#include "roadplane/kitti/annotation.hpp"
#include "roadplane/kitti/calibration.hpp"
#include "roadplane/kitti/cloud_file.hpp"
#include "roadplane/kitti/label_file.hpp"
#include "roadplane/kitti/recording.hpp"

namespace roadplane::kitti {

/// A scan that is a message of a recording.
struct RecordedScan {
  std::shared_ptr<const Recording> recording;
  const RecordedTopic* topic = nullptr;  ///< of the recording
  MessagePlace place;
  std::string stamp;     ///< [ns] since 1970, of its header; the name of the scan
  std::string frame_id;  ///< as its sender calls its frame of reference
};

/// One scan of a dataset and whatever lies beside it. Nothing is loaded until it is asked for.
struct Frame {
  std::string sequence;        ///< drive, sequence, split or folder; "04", "training", ...
  int number = 0;              ///< from the scan's file name
  std::filesystem::path scan;  ///< of kScanExtensions, or the .mat of an annotation
  ScanReading reading{};       ///< how it is to be understood

  std::optional<std::filesystem::path> image{};
  std::optional<CalibrationSource> calibration{};
  std::optional<std::filesystem::path> label{};
  std::optional<std::filesystem::path> annotation{};
  std::optional<std::filesystem::path> plane_file{};
  std::optional<std::filesystem::path> road_picture{};  ///< truth of the road benchmark
  std::optional<RecordedScan> recorded{};               ///< `scan` is the recording then

  /// The scan's name without its extension, zeros included: "000056".
  std::string stem() const;
  /// Unique in the dataset, and UTF-8 whatever its files are called: "04/000056".
  std::string name() const;
  /// What the frame has besides its scan: "image, calibration, label"; "nothing" if nothing.
  std::string contents() const;
};

Scan load_scan(const Frame& frame);
/// The share of agents first .. first + count - 1. Of a `.bin` scan no more than it is ever in
/// memory; other files are read whole, and what belongs to others is dropped.
ScanShare load_share(const Frame& frame, ShardKind kind, int agents, std::uint64_t seed, int first,
                     int count);
/// The number of points; of a `.bin` scan from its size alone.
std::size_t count_points(const Frame& frame);
/// The following give nothing for a frame without the file, and throw InputError for a bad one.
/// The projection is of points in the sensor's frame, whatever the file's is.
std::optional<Projection> load_projection(const Frame& frame);
/// The plane of a hyperplane in the sensor's frame, in the frame of the scan's file; nothing for
/// the plane at infinity.
std::optional<Plane> plane_in_file(const Eigen::Vector4d& w, const Frame& frame);
/// Points of the sensor's frame in the frame of the scan's file; nothing where they are one.
/// Missing returns stay what they are.
std::vector<Eigen::Vector3d> points_in_file(PointSpan points, const Frame& frame);
/// A hyperplane the other way.
Eigen::Vector4d hyperplane_at_sensor(const Eigen::Vector4d& w_in_file, const Frame& frame);
/// `points` is the scan's number of points, which the label must have, too.
std::optional<Labels> load_labels(const Frame& frame, std::size_t points);

}  // namespace roadplane::kitti
