#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <vector>

#include "roadplane/geometry/plane.hpp"
#include "roadplane/geometry/point.hpp"
#include "roadplane/geometry/rgb_image.hpp"
#include "roadplane/kitti/synthetic/options.hpp"

namespace roadplane::kitti {

namespace synthetic {
class Street;
}

/// One turn of the LiDAR and its truth.
struct SyntheticFrame {
  Scan points;                        ///< ring by ring from the top, each counter-clockwise
  std::vector<std::uint32_t> labels;  ///< SemanticKITTI classes, one per point
  Plane road;                         ///< exact, in the sensor frame
  int azimuth_steps = 0;              ///< firings of each of the 64 lasers in the turn
};

/// The colour camera of KITTI odometry sequence 00.
struct SyntheticCalibration {
  Eigen::Matrix<double, 3, 4> p2;  ///< rectified camera 0 to pixels of camera 2
  Eigen::Matrix<double, 3, 4> tr;  ///< LiDAR to rectified camera 0
  int width = 1241;                ///< [px]
  int height = 376;                ///< [px]

  /// What Projection wants.
  Eigen::Matrix<double, 3, 4> lidar_to_pixel() const;
};

/// A street driven through by a vehicle with a LiDAR and a camera. Every frame is a pure function
/// of the options and its number: frames can be made in any order, or in parallel.
class SyntheticScene {
 public:
  /// Throws InputError if the options are out of range.
  explicit SyntheticScene(const SceneOptions& options);
  ~SyntheticScene();
  SyntheticScene(SyntheticScene&&) noexcept;
  SyntheticScene& operator=(SyntheticScene&&) noexcept;

  const SceneOptions& options() const { return options_; }

  /// Frame 0, 1, ...; not limited to options().frames. Throws InputError if negative.
  SyntheticFrame frame(int index) const;
  RgbImage picture(int index) const;
  static SyntheticCalibration calibration();
  double time_s(int index) const { return index / options_.frame_rate_hz; }

 private:
  SceneOptions options_;
  std::unique_ptr<const synthetic::Street> street_;
};

}  // namespace roadplane::kitti
