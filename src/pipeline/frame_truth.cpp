#include "roadplane/pipeline/frame_truth.hpp"

#include "roadplane/base/input_error.hpp"

namespace roadplane {
namespace {

kitti::GroundTruth truth_of_plane_file(const kitti::Frame& frame, PointSpan points,
                                       const std::string& file) {
  auto truth = kitti::truth_from_plane_file(frame, points, file);
  if (!truth) throw InputError(file, "a plane of frame " + frame.stem(), "none");
  return std::move(*truth);
}

kitti::GroundTruth truth_of_labels(const kitti::Frame& frame, PointSpan points,
                                   const ClassSet& classes) {
  auto truth = kitti::truth_from_labels(frame, points, classes);
  if (!truth) {
    throw InputError(frame.scan.string(),
                     "a label file beside it, to score " + classes.name() + " against", "none");
  }
  return std::move(*truth);
}

}  // namespace

ClassSet classes_of(Target target) {
  return target == Target::ground ? ClassSet::ground() : ClassSet::road();
}

std::optional<std::vector<std::uint8_t>> truth_of_points(const kitti::Frame& frame,
                                                         PointSpan points, const ClassSet& classes,
                                                         Scoring scoring) {
  if (const auto labels = kitti::load_labels(frame, points.size())) {
    return scored_truth(scoring, classes, points, *labels);
  }
  if (frame.annotation) return kitti::annotated_mask(frame, points);
  return std::nullopt;
}

bool wants_truth(const kitti::Frame& frame, const std::string& wanted) {
  if (wanted != "auto") return wanted != "none";
  return frame.annotation || frame.plane_file || frame.label;
}

std::optional<kitti::GroundTruth> find_truth(const kitti::Frame& frame, PointSpan points,
                                             const std::string& wanted, Target target,
                                             Scoring scoring) {
  if (!wants_truth(frame, wanted)) return std::nullopt;
  if (wanted == "reference") return kitti::reference_truth(points, frame.scan.string());
  const bool plane_file = wanted.ends_with(".json");
  const bool named = wanted != "auto" && !plane_file;
  const ClassSet classes = named ? ClassSet::parse(wanted) : classes_of(target);
  auto truth = plane_file ? truth_of_plane_file(frame, points, wanted)
               : named    ? truth_of_labels(frame, points, classes)
                          : kitti::load_ground_truth(frame, points);
  if (truth && frame.label) {
    truth->mask = *truth_of_points(frame, points, classes, scoring);
    truth->scoring = scoring;
    if (!named && target == Target::ground) truth->source += ", labels: ground";
  }
  return truth;
}

}  // namespace roadplane
