#include "roadplane/pipeline/labelled_recordings.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/evaluation/class_set.hpp"
#include "roadplane/ground/road_edges.hpp"
#include "roadplane/kitti/label_file.hpp"
#include "roadplane/kitti/labelled_recording.hpp"
#include "roadplane/pipeline/frame_time.hpp"
#include "roadplane/pipeline/segment_frame.hpp"
#include "roadplane/results/json_text.hpp"
#include "roadplane/viz/palette.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;

/// The share of `values` below what is returned; they are reordered.
double quantile(std::vector<double>& values, double share) {
  const auto at =
      values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// A rectangle of the plane below nearly all of the road's points, its sides along x and y.
kitti::NamedPolygon plane_polygon(const Plane& plane, std::span<const Eigen::Vector3d> road) {
  const Eigen::Vector3d& n = plane.normal;
  const Eigen::Vector3d ahead =
      std::abs(n.x()) < 0.9 ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
  const Eigen::Vector3d u = (ahead - n.dot(ahead) * n).normalized();
  const Eigen::Vector3d v = n.cross(u);
  std::vector<double> along;
  std::vector<double> across;
  for (const Eigen::Vector3d& p : road) {
    along.push_back(u.dot(p));
    across.push_back(v.dot(p));
  }
  constexpr double kLeftOut = 0.02;  // of the points at either end
  const double back = quantile(along, kLeftOut);
  const double front = quantile(along, 1 - kLeftOut);
  const double right = quantile(across, kLeftOut);
  const double left = quantile(across, 1 - kLeftOut);
  const Eigen::Vector3d foot = -plane.offset_m * n;
  const auto corner = [&](double a, double b) { return Eigen::Vector3d(foot + a * u + b * v); };
  return {"plane",
          {corner(back, right), corner(front, right), corner(front, left), corner(back, left)}};
}

/// The borders of the road, there and back as polygons must be, and the drivable area.
void add_edges(const SeenRoad& view, const kitti::Frame& frame, kitti::LabelledScan& scan) {
  const auto add = [&](const char* name, std::vector<Eigen::Vector3d> corners) {
    if (corners.empty()) return;
    if (frame.reading.to_sensor) {
      const Eigen::Isometry3d to_file = frame.reading.to_sensor->inverse();
      for (Eigen::Vector3d& corner : corners) corner = to_file * corner;
    }
    scan.polygons.push_back({name, std::move(corners)});
  };
  const auto there_and_back = [](std::span<const BorderPoint> border) {
    std::vector<Eigen::Vector3d> corners;
    for (const BorderPoint& point : border) corners.push_back(point.at);
    corners.insert(corners.end(), corners.rbegin(), corners.rend());
    return corners;
  };
  add("left_edge", there_and_back(view.edges.left));
  add("right_edge", there_and_back(view.edges.right));
  add("road", view.edges.area());
}

void add_frame(kitti::LabelledRecording& recording, const kitti::Frame& frame,
               const FrameRecord& record, const SegmentPlan& plan, const fs::path& folder) {
  const Scan points = kitti::load_scan(frame);
  const kitti::Labels labels = kitti::read_labels(label_path(folder, frame), points.size());
  std::vector<Eigen::Vector3d> positions = kitti::points_in_file(points, frame);
  std::vector<std::uint8_t> road(points.size());
  std::vector<Eigen::Vector3d> road_points;
  for (std::size_t i = 0; i < points.size(); ++i) {
    road[i] = labels[i] == kRoadLabel ? 1 : 0;
    if (road[i] == 0) continue;
    road_points.push_back(positions.empty() ? Eigen::Vector3d(points[i].x, points[i].y, points[i].z)
                                            : positions[i]);
  }
  const viz::Palette palette(viz::OverlayStyle::labels);
  const viz::LabelledCloud cloud{.points = points, .road = road, .surface = to_string(plan.target)};
  std::vector<std::uint32_t> colors(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const viz::Color c = palette.color_of(cloud, i);
    colors[i] = std::uint32_t{c.r} << 16 | std::uint32_t{c.g} << 8 | c.b;
  }
  kitti::LabelledScan scan{.time_ns = frame_time_ns(frame),
                           .frame_id = frame.recorded ? frame.recorded->frame_id : "lidar",
                           .points = points,
                           .positions = positions,
                           .labels = labels,
                           .colors = colors,
                           .polygons = {},
                           .record_json = text_of(to_json(record))};
  if (!road_points.empty()) scan.polygons.push_back(plane_polygon(record.plane, road_points));
  if (plan.surface == Surface::road) add_edges(SeenRoad(points, road, record.w), frame, scan);
  recording.add(scan);
}

}  // namespace

std::vector<std::string> write_labelled_recordings(std::span<const kitti::Frame> frames,
                                                   const SegmentPlan& plan,
                                                   std::span<const FrameRecord> records,
                                                   const fs::path& folder) {
  std::vector<std::string> remarks;
  std::map<std::string, const FrameRecord*> record_of_name;
  for (const FrameRecord& record : records) record_of_name[record.name] = &record;
  std::map<std::string, std::vector<const kitti::Frame*>> sequences;
  for (const kitti::Frame& frame : frames) sequences[frame.sequence].push_back(&frame);
  for (const auto& [sequence, of_sequence] : sequences) {
    const fs::path path = folder / "mcap" / (sequence + ".mcap");
    make_folders(path.parent_path());
    kitti::LabelledRecording recording(path);
    for (const kitti::Frame* frame : of_sequence) {
      const auto found = record_of_name.find(frame->name());
      if (found == record_of_name.end() || found->second->status == FrameStatus::failed) continue;
      try {
        add_frame(recording, *frame, *found->second, plan, folder);
      } catch (const InputError& error) {
        remarks.push_back(path.string() + " is without " + frame->name() + ": " + error.what());
      }
    }
    recording.finish();
  }
  return remarks;
}

}  // namespace roadplane
