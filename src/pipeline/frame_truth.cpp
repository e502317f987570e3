#include "roadplane/pipeline/frame_truth.hpp"

#include "roadplane/base/input_error.hpp"
#include "roadplane/kitti/plane_file.hpp"

namespace roadplane {
namespace {

kitti::GroundTruth truth_of_plane_file(const kitti::Frame& frame, PointSpan points,
                                       const std::string& file) {
  const auto plane = kitti::read_plane(file, frame.stem());
  if (!plane) throw InputError(file, "a plane of frame " + frame.stem(), "none");
  kitti::GroundTruth truth{{}, *plane, "plane file"};
  if (const auto labels = kitti::load_labels(frame, points.size())) {
    truth.mask = kitti::ClassSet::road().mask(*labels);
  }
  return truth;
}

kitti::GroundTruth truth_of_labels(const kitti::Frame& frame, PointSpan points,
                                   const kitti::ClassSet& classes) {
  const auto labels = kitti::load_labels(frame, points.size());
  if (!labels) {
    throw InputError(frame.scan.string(),
                     "a label file beside it, to score " + classes.name() + " against", "none");
  }
  return kitti::truth_from_mask(points, classes.mask(*labels), "label:" + classes.name(),
                                frame.label->string());
}

}  // namespace

bool wants_truth(const kitti::Frame& frame, const std::string& wanted) {
  if (wanted != "auto") return wanted != "none";
  return frame.annotation || frame.plane_file || frame.label;
}

std::optional<kitti::GroundTruth> find_truth(const kitti::Frame& frame, PointSpan points,
                                             const std::string& wanted) {
  if (!wants_truth(frame, wanted)) return std::nullopt;
  if (wanted == "auto") return kitti::load_ground_truth(frame, points);
  if (wanted == "reference") return kitti::reference_truth(points, frame.scan.string());
  if (wanted.ends_with(".json")) return truth_of_plane_file(frame, points, wanted);
  return truth_of_labels(frame, points, kitti::ClassSet::parse(wanted));
}

}  // namespace roadplane
