#include "edges_text.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "roadplane/results/json_text.hpp"

namespace roadplane {
namespace {

using nlohmann::json;

constexpr int kSectors = 360;

/// In millimetres: no scanner tells more.
double rounded(double metres) { return std::round(1000 * metres) / 1000; }

json json_of(const Eigen::Vector3d& at) {
  return {rounded(at.x()), rounded(at.y()), rounded(at.z())};
}

json json_of(std::span<const BorderPoint> border) {
  json points = json::array(), beyond = json::array();
  for (const BorderPoint& point : border) {
    points.push_back(json_of(point.at));
    beyond.push_back(to_string(point.beyond));
  }
  return {{"points", points}, {"beyond", beyond}};
}

json json_of(std::span<const RoadWidth> widths) {
  json all = json::array();
  for (const RoadWidth& width : widths) {
    all.push_back({{"at_m", width.at_m},
                   {"width_m", rounded(width.width_m)},
                   {"spread_m", rounded(width.spread_m)}});
  }
  return all;
}

json json_of(const RoadMap& map) {
  json sectors = json::array();
  for (int sector = 0; sector < kSectors; ++sector) {
    json stretches = json::array();
    for (const RoadMap::Stretch& stretch :
         map.stretches((sector + 0.5) * 2 * std::numbers::pi / kSectors)) {
      stretches.push_back(
          {rounded(stretch.from_m), rounded(stretch.to_m), to_string(stretch.sight)});
    }
    sectors.push_back(std::move(stretches));
  }
  return sectors;
}

}  // namespace

std::string edges_text(const kitti::Frame& frame, const SeenRoad& view) {
  const RoadEdges& edges = view.edges;
  const std::vector<Eigen::Vector3d> area = edges.area();
  json corners = json::array();
  for (const Eigen::Vector3d& corner : area) corners.push_back(json_of(corner));
  json j = {{"name", frame.name()},
            {"frame", "sensor"},
            {"ahead", {edges.ahead.x(), edges.ahead.y(), edges.ahead.z()}},
            {"left", json_of(edges.left)},
            {"right", json_of(edges.right)},
            {"widths", json_of(edges.widths)},
            {"area", corners},
            {"area_m2", rounded(area_m2(area))},
            {"sectors", json_of(view.map)}};
  if (frame.reading.to_sensor) {
    const Eigen::Matrix4d to_file = frame.reading.to_sensor->inverse().matrix();
    for (int row = 0; row < 4; ++row) {
      j["file_from_sensor"].push_back(
          {to_file(row, 0), to_file(row, 1), to_file(row, 2), to_file(row, 3)});
    }
  }
  return text_of(j) + "\n";
}

}  // namespace roadplane
