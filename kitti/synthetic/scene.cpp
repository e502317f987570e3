#include "roadplane/kitti/synthetic/scene.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "layout.hpp"
#include "lidar.hpp"
#include "renderer.hpp"
#include "roadplane/base/input_error.hpp"
#include "street.hpp"

namespace roadplane::kitti {
namespace {

using synthetic::kLidarReachM;
using synthetic::layout_for;
using synthetic::Lidar;
using synthetic::PerClass;
using synthetic::PointClass;
using synthetic::Street;
using synthetic::StreetLayout;
using synthetic::View;
using synthetic::view_of_frame;
using synthetic::World;

// The camera sees further than the LiDAR, and needs what throws shadows into its view.
constexpr double kCameraBehindM = 45;
constexpr double kCameraAheadM = 320;

constexpr double kNarrowestM = 3.3;
constexpr double kWidestM = 24;

World world_around(const SceneOptions& options, const Street& street, const View& view,
                   double behind_m, double ahead_m) {
  return {options, street.ground(view.street_x),
          street.around(view.street_x, view.time_s, behind_m, ahead_m), view};
}

/// Share of road among the returns, over a few frames of the drive.
double road_share(const SceneOptions& options, const StreetLayout& layout) {
  const Street street(options, layout);
  double road = 0;
  double all = 0;
  for (const int frame : {0, 37}) {
    const View view = view_of_frame(options, frame);
    const World world = world_around(options, street, view, kLidarReachM, kLidarReachM);
    const PerClass found = Lidar(options, world, view, frame).probe(36);
    road += found[static_cast<std::size_t>(PointClass::road)];
    all += found[0] + found[1] + found[2];
  }
  return all > 0 ? road / all : 0;
}

const SceneOptions& validated(const SceneOptions& options) {
  options.validate();
  return options;
}

void require_frame(int index) {
  if (index < 0) throw InputError("frame", "0 or more", std::to_string(index));
}

}  // namespace

StreetLayout synthetic::layout_for(const SceneOptions& options) {
  StreetLayout layout;
  layout.clutter = std::clamp((options.outlier_share - 0.2) / 0.6, 0.0, 1.0);
  if (options.second_plane_share > 0) {
    layout.platform_width_m = 2.5 + 25 * options.second_plane_share;
    layout.platform_height_m = options.second_plane_height_m;
  }
  double narrow = kNarrowestM;
  double wide = kWidestM;
  for (int step = 0; step < 7; ++step) {
    layout.half_width_m = (narrow + wide) / 2;
    const bool enough = road_share(options, layout) > 1 - options.outlier_share;
    (enough ? wide : narrow) = layout.half_width_m;
  }
  return layout;
}

Eigen::Matrix<double, 3, 4> SyntheticCalibration::lidar_to_pixel() const {
  Eigen::Matrix4d to_camera = Eigen::Matrix4d::Identity();
  to_camera.topRows<3>() = tr;
  return p2 * to_camera;
}

SyntheticScene::SyntheticScene(const SceneOptions& options)
    : options_(validated(options)),
      street_(std::make_unique<const Street>(options, layout_for(options))) {}

SyntheticScene::~SyntheticScene() = default;
SyntheticScene::SyntheticScene(SyntheticScene&&) noexcept = default;
SyntheticScene& SyntheticScene::operator=(SyntheticScene&&) noexcept = default;

SyntheticFrame SyntheticScene::frame(int index) const {
  require_frame(index);
  const View view = view_of_frame(options_, index);
  const World world = world_around(options_, *street_, view, kLidarReachM, kLidarReachM);
  synthetic::LidarScan scan = Lidar(options_, world, view, index).scan();
  return {std::move(scan.points), std::move(scan.labels), view.road, scan.azimuth_steps};
}

RgbImage SyntheticScene::picture(int index) const {
  require_frame(index);
  const View view = view_of_frame(options_, index);
  const World world = world_around(options_, *street_, view, kCameraBehindM, kCameraAheadM);
  return synthetic::render(world, view, calibration());
}

SyntheticCalibration SyntheticScene::calibration() {
  SyntheticCalibration c;
  c.p2 << 718.856, 0, 607.1928, 45.38225, 0, 718.856, 185.2157, -0.1130887, 0, 0, 1, 0.003779761;
  c.tr << 4.276802385584e-04, -9.999672484946e-01, -8.084491683471e-03, -1.198459927713e-02,
      -7.210626507497e-03, 8.081198471645e-03, -9.999413164504e-01, -5.403984729748e-02,
      9.999738645903e-01, 4.859485810390e-04, -7.206933692422e-03, -2.921968648686e-01;
  return c;
}

}  // namespace roadplane::kitti
