#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "roadplane/geometry/projection.hpp"

namespace roadplane::kitti {

/// The `key: numbers` lines of a KITTI calibration text. Keys that nobody asks for may hold
/// anything: real files carry dates, comments and other cameras.
class CalibrationText {
 public:
  /// `where` (the file's name) begins the message of an InputError. `text` must outlive this.
  CalibrationText(std::string_view text, std::string where)
      : text_(text), where_(std::move(where)) {}

  /// Exactly `count` finite numbers of a key; throws InputError that names file and key.
  std::vector<double> numbers(std::string_view key, std::size_t count) const;
  const std::string& where() const { return where_; }

 private:
  std::string_view text_;
  std::string where_;
};

/// Raw recordings: R and T of calib_velo_to_cam.txt, R_rect_00 and P_rect_02 of
/// calib_cam_to_cam.txt (camera 2, the left colour camera).
Projection raw_projection(const CalibrationText& velo_to_cam, const CalibrationText& cam_to_cam);
/// Odometry benchmark: P2 and Tr, which leads to the rectified camera 0 already.
Projection odometry_projection(const CalibrationText& calib);
/// Object benchmark: P2, R0_rect and Tr_velo_to_cam.
Projection object_projection(const CalibrationText& calib);

/// Road benchmark: from x and z of its road's frame, and 1, to a pixel of camera 2 (P2, R0_rect,
/// Tr_cam_to_road). Throws InputError where that has no inverse.
Eigen::Matrix3d road_to_pixel(const CalibrationText& calib);
Eigen::Matrix3d read_road_to_pixel(const std::filesystem::path& file);

/// Where the calibration of a frame lies.
struct CalibrationSource {
  enum class Layout { raw, odometry, object };
  Layout layout = Layout::odometry;
  std::filesystem::path path;  ///< the date folder of a raw recording, else the file

  std::vector<std::filesystem::path> files() const;
};

Projection read_calibration(const CalibrationSource& source);

/// The calibration at a place: a file (of the odometry or the object benchmark, by its keys), a
/// folder with the two files of a raw recording or a calib.txt, or a folder of one file a frame, of
/// which `stem` (if it is not empty) is one. Nothing if there is none.
std::optional<CalibrationSource> find_calibration(const std::filesystem::path& place,
                                                  const std::string& stem);

}  // namespace roadplane::kitti
