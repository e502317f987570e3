#include "roadplane/pipeline/score_road.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "prediction_files.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/evaluation/class_set.hpp"
#include "roadplane/ground/road_map.hpp"
#include "roadplane/kitti/data_config.hpp"
#include "roadplane/kitti/ground_truth.hpp"
#include "roadplane/viz/image_file.hpp"
#include "roadplane/viz/palette.hpp"

namespace roadplane {
namespace {

constexpr int kColumns = 400;
constexpr int kRows = 800;
constexpr double kCellM = 0.05;
constexpr double kLeftM = -10;  // of the road's x, which is to the right
constexpr double kFarM = 46;

/// Where the camera looks to at a pixel, as a place on the ground.
class Gaze {
 public:
  Gaze(const Projection& projection, const GroundFrame& frame)
      : frame_(frame), inverse_(projection.matrix().leftCols<3>().inverse()) {
    camera_ = -inverse_ * projection.matrix().col(3);
  }
  /// Nothing above the horizon.
  std::optional<Eigen::Vector2d> operator()(const Eigen::Vector2d& pixel) const {
    const Eigen::Vector3d from = frame_.from_sensor(camera_);
    const Eigen::Vector3d to =
        frame_.from_sensor(camera_ + inverse_ * Eigen::Vector3d(pixel.x(), pixel.y(), 1));
    const double fall = from.z() - to.z();
    if (!(fall > 0)) return std::nullopt;
    return Eigen::Vector2d((from + (to - from) * (from.z() / fall)).head<2>());
  }

 private:
  const GroundFrame& frame_;
  Eigen::Matrix3d inverse_;
  Eigen::Vector3d camera_;
};

/// What is compared with the truth of a frame.
struct Inputs {
  RgbImage truth;
  Eigen::Matrix3d to_pixel;  ///< from x, z and 1 on the benchmark's road
  Projection projection;
  RoadMap map;
};

Inputs load(const kitti::Frame& frame, const PredictionFiles& predictions,
            const std::string& folder) {
  const auto file = predictions.of(frame);
  if (!file) throw InputError(folder, "a label file of frame " + frame.name(), "none");
  if (!frame.road_picture) {
    throw InputError(frame.scan.string(),
                     "a truth of the road benchmark, such as um_road_000000.png", "none");
  }
  if (!frame.calibration || frame.calibration->layout == kitti::CalibrationSource::Layout::raw) {
    throw InputError(frame.scan.string(), "its calibration, with Tr_cam_to_road", "none");
  }
  const Scan scan = kitti::load_scan(frame);
  const auto road = ClassSet::road().mask(kitti::read_labels(*file, scan.size()));
  const auto plane = kitti::truth_from_mask(scan, road, "labels", file->string()).hyperplane;
  return {viz::read_image(*frame.road_picture), kitti::read_road_to_pixel(frame.calibration->path),
          *kitti::load_projection(frame), RoadMap(scan, road, plane)};
}

/// Counts a frame's cells, and draws them.
ThresholdCounts count_cells(const Inputs& in, RgbImage& picture) {
  const viz::Palette palette(viz::OverlayStyle::truth);
  const Gaze gaze(in.projection, in.map.frame());
  ThresholdCounts counts;
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      const Eigen::Vector3d seen = in.to_pixel * Eigen::Vector3d(kLeftM + (column + 0.5) * kCellM,
                                                                 kFarM - (row + 0.5) * kCellM, 1);
      const Eigen::Vector2d pixel = seen.head<2>() / seen.z();
      const auto u = std::lround(pixel.x()), v = std::lround(pixel.y());
      if (!(u >= 0 && u < in.truth.width && v >= 0 && v < in.truth.height)) continue;
      const std::uint8_t* truth =
          &in.truth
               .rgb[3 * (static_cast<std::size_t>(v) * static_cast<std::size_t>(in.truth.width) +
                         static_cast<std::size_t>(u))];
      if (truth[0] == 0) continue;  // not valid
      const bool is_road = truth[2] > 0;
      const auto place = gaze(pixel);
      const double share = place ? in.map.road_share(*place) : 0;
      counts.add(is_road, static_cast<std::uint8_t>(std::lround(255 * share)));
      const viz::Color color =
          palette.looks()[2 * (is_road ? 1U : 0U) + (share >= 0.5 ? 1U : 0U)].color;
      const auto at = 3 * static_cast<std::size_t>(row * kColumns + column);
      picture.rgb[at] = color.r, picture.rgb[at + 1] = color.g, picture.rgb[at + 2] = color.b;
    }
  }
  return counts;
}

}  // namespace

RoadScore score_road(const ScoreConfig& asked, const TakeRoadMap& take_map) {
  const ScoreConfig config = with_run(asked);
  kitti::DataConfig data;
  data.paths = {config.truth.string()};
  const auto known = open_data(data).frames;
  data.sequence = config.sequence;
  data.frames = config.frames;
  const PredictionFiles predictions(config.predictions, known);
  const std::string folder = config.predictions.string();
  RoadScore score;
  for (const kitti::Frame& frame : select_frames(data, open_data(data))) {
    try {
      const Inputs inputs = load(frame, predictions, folder);
      RgbImage map{kColumns, kRows, std::vector<std::uint8_t>(std::size_t{3} * kColumns * kRows)};
      const ThresholdCounts counts = count_cells(inputs, map);
      if (counts.cells() == 0) {
        throw InputError(frame.road_picture->string(), "a cell whose truth is known", "none");
      }
      const std::string stem = frame.stem();
      score.frames.push_back({stem.substr(0, stem.find('_')), frame.name(), counts});
      if (take_map) take_map(frame, map);
    } catch (const InputError& error) {
      score.problems.emplace_back(error.what());
    }
  }
  score.problems.insert(score.problems.end(), predictions.problems().begin(),
                        predictions.problems().end());
  return score;
}

}  // namespace roadplane
