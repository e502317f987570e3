#include "fuzz.hpp"
#include "roadplane/kitti/calibration.hpp"

// Any calibration text, read as each of the layouts.
void roadplane::fuzz(std::span<const std::byte> content) {
  const kitti::CalibrationText text(as_text(content), "fuzz");
  const auto attempt = [](auto&& read) {
    try {
      const Projection projection = read();
      require(!projection.matrix().hasNaN() || !projection({10, 0, -1.7F, 0}));
    } catch (const InputError&) {
    }
  };
  attempt([&] { return kitti::raw_projection(text, text); });
  attempt([&] { return kitti::object_projection(text); });
  attempt([&] {
    Eigen::Matrix<double, 3, 4> matrix = Eigen::Matrix<double, 3, 4>::Zero();
    matrix.leftCols<3>() = kitti::road_to_pixel(text);
    return Projection(matrix);
  });
  kitti::odometry_projection(text);
}
