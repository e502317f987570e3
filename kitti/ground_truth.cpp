#include "roadplane/kitti/ground_truth.hpp"

#include "plane_file.hpp"
#include "reference_plane.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/dpcp/spectrum.hpp"
#include "roadplane/geometry/homogeneous_cloud.hpp"

namespace roadplane::kitti {

std::vector<std::uint8_t> annotated_mask(const Frame& frame, PointSpan points) {
  Annotation annotation = read_annotation(*frame.annotation);
  if (annotation.mask.size() != points.size()) {
    throw InputError(frame.annotation->string(), std::to_string(points.size()) + " points",
                     std::to_string(annotation.mask.size()));
  }
  return std::move(annotation.mask);
}

std::optional<GroundTruth> load_ground_truth(const Frame& frame, PointSpan points,
                                             const ClassSet& classes) {
  if (frame.annotation) {
    return truth_from_mask(points, annotated_mask(frame, points), "annotation",
                           frame.annotation->string());
  }
  if (frame.plane_file) {
    auto truth = truth_from_plane_file(frame, points, *frame.plane_file, classes);
    if (truth) return truth;
  }
  return truth_from_labels(frame, points, classes);
}

std::optional<GroundTruth> truth_from_plane_file(const Frame& frame, PointSpan points,
                                                 const std::filesystem::path& file,
                                                 const ClassSet& classes) {
  const auto plane = read_plane(file, frame.stem());
  if (!plane) return std::nullopt;
  GroundTruth truth{{}, hyperplane_at_sensor(*plane, frame), "plane file", Scoring::strict};
  if (const auto labels = load_labels(frame, points.size())) truth.mask = classes.mask(*labels);
  return truth;
}

std::optional<GroundTruth> truth_from_labels(const Frame& frame, PointSpan points,
                                             const ClassSet& classes) {
  const auto labels = load_labels(frame, points.size());
  if (!labels) return std::nullopt;
  return truth_from_mask(points, classes.mask(*labels), "label:" + classes.name(),
                         frame.label->string());
}

GroundTruth truth_from_mask(PointSpan points, std::vector<std::uint8_t> mask,
                            const std::string& source, const std::string& where) {
  std::vector<std::uint32_t> road;
  for (std::size_t k = 0; k < mask.size(); ++k) {
    if (mask[k] != 0) road.push_back(static_cast<std::uint32_t>(k));
  }
  HomogeneousCloud cloud;
  cloud.assign(points, road);
  const Spectrum spectrum(cloud.second_moment(), static_cast<double>(cloud.size()));
  if (!spectrum.degeneracy().empty()) {
    throw InputError(where, "road points (" + source + ") that determine a plane",
                     std::to_string(road.size()) + ": " + spectrum.degeneracy());
  }
  return {std::move(mask), spectrum.smallest(), source, Scoring::strict};
}

GroundTruth reference_truth(PointSpan points, const std::string& where) {
  HomogeneousCloud cloud;
  cloud.assign(points);
  const std::optional<Eigen::Vector4d> plane = reference_plane(cloud);
  if (!plane) {
    throw InputError(where, "points that determine a plane",
                     std::to_string(cloud.size()) + " usable of " + std::to_string(points.size()));
  }
  return {{}, *plane, "reference", Scoring::strict};
}

}  // namespace roadplane::kitti
