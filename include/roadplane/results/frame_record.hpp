#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "roadplane/base/interval.hpp"
#include "roadplane/geometry/plane.hpp"
#include "roadplane/solver/stationarity.hpp"

namespace roadplane {

/// How a frame's result compares with its truth.
struct FrameScore {
  std::string truth;          ///< where the truth came from; "reference" is an estimate
  double recovery_error = 0;  ///< of the agents' mean hyperplane
  double recovery_error_worst_agent = 0;
  double angle_deg = 0;       ///< between the normals
  double height_error_m = 0;  ///< of the sensor above the road
  struct Labels {
    std::string scoring;  ///< which points count, and as what
    double precision = 0;
    double recall = 0;
    double f1 = 0;
    double iou = 0;
    double accuracy = 0;
    double auc = 0;
    double best_f1 = 0;  ///< at the best possible threshold
  };
  std::optional<Labels> labels;  ///< only where the truth says which points are road
};

/// What the ground is like where it is not the plane.
struct FrameRelief {
  double low_m = 0;        ///< [m] over the plane, lowest cell
  double high_m = 0;       ///< [m] over the plane, highest cell
  double roughness_m = 0;  ///< [m] mean absolute deviation of points within their cell
};

/// How wide the road is, where both its edges are seen.
struct FrameWidth {
  double width_m = 0;
  double spread_m = 0;  ///< [m] standard deviation
};

/// Milliseconds spent on a frame.
struct FrameTimes {
  double load = 0;   ///< reading the scan and dividing it into shards
  double start = 0;  ///< what comes before the first iteration: common start and coordinates
  double solve = 0;  ///< the iterations, and what comes after
  double label = 0;  ///< residuals, threshold, labels
  double draw = 0;   ///< pictures and clouds, encoded and written
};

/// From good to bad: where several hold, a frame has the worst.
enum class FrameStatus {
  ok,
  incomplete,  ///< segmented, but something beside the scan (truth, picture, ...) was bad
  suspect,     ///< segmented, but the plane may not be the road
  failed,      ///< no plane
};

std::string to_string(FrameStatus status);

/// Everything that is recorded of one frame.
struct FrameRecord {
  std::string sequence;
  std::string name;  ///< "04/000056"
  int frame = 0;
  FrameStatus status = FrameStatus::ok;
  std::string error;  ///< one line; empty if ok

  std::size_t points = 0;
  std::size_t inliers = 0;
  Eigen::Vector4d w = Eigen::Vector4d::Zero();  ///< in the sensor's frame
  Plane plane;                                  ///< in the frame of the scan's file
  std::string sensor_origin = "file";   ///< where the sensor was: at the file's origin, or as
                                        ///< an option has "given" it
  std::optional<Interval> tilt_deg_95;  ///< of the angle between the plane's normal and z
  std::optional<Interval> height_m_95;  ///< of the sensor above the plane
  std::string target;                   ///< what the labels mean: plane, road or ground
  std::optional<FrameRelief> relief;    ///< where points were measured from it
  /// 5, 10 and 20 m ahead, then as far behind, along the road.
  std::array<std::optional<FrameWidth>, 6> road_width;
  std::string threshold;       ///< with its unit; adaptive: what suits each place
  double threshold_value = 0;  ///< [rad] or [m], as used; adaptive: on average
  std::string began;  ///< of a track: found, tracked or lost (and found again); empty without
  std::string note;   ///< what is out of the ordinary about the scene; empty if nothing
  std::string termination;
  double step = 0;        ///< eta
  int step_halvings = 0;  ///< how often it was halved after leaving the safe region
  std::int64_t iterations = 0;
  std::int64_t rounds = 0;
  std::int64_t messages = 0;
  std::int64_t messages_per_link = 0;  ///< in each of a link's two directions
  double bytes_per_agent = 0;
  double bytes_scan_per_agent = 0;  ///< what shipping its points would take
  std::int64_t samples = 0;
  StationarityGap gap;
  std::optional<double> minimiser_distance;  ///< of the worst agent at the end of the solve
  double consensus_error = 0;  ///< largest distance of an agent's hyperplane from the mean
  std::optional<FrameScore> score;
  FrameTimes ms;
};

/// Every recorded metric that the frame has; the dots of its key are levels.
nlohmann::json to_json(const FrameRecord& record);
/// Throws InputError naming `where` if the text is not a record.
FrameRecord record_from_json(const nlohmann::json& json, const std::string& where);

}  // namespace roadplane
