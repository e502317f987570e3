#include "roadplane/pipeline/frame_truth.hpp"

#include "roadplane/base/input_error.hpp"
#include "roadplane/kitti/label_file.hpp"

namespace roadplane {
namespace {

kitti::GroundTruth truth_of_plane_file(const kitti::Frame& frame, PointSpan points,
                                       const std::string& file) {
  auto truth = kitti::truth_from_plane_file(frame, points, file);
  if (!truth) throw InputError(file, "a plane of frame " + frame.stem(), "none");
  return std::move(*truth);
}

kitti::GroundTruth truth_of_labels(const kitti::Frame& frame, PointSpan points,
                                   const kitti::ClassSet& classes) {
  auto truth = kitti::truth_from_labels(frame, points, classes);
  if (!truth) {
    throw InputError(frame.scan.string(),
                     "a label file beside it, to score " + classes.name() + " against", "none");
  }
  return std::move(*truth);
}

}  // namespace

bool wants_truth(const kitti::Frame& frame, const std::string& wanted) {
  if (wanted != "auto") return wanted != "none";
  return frame.annotation || frame.plane_file || frame.label;
}

std::optional<kitti::GroundTruth> find_truth(const kitti::Frame& frame, PointSpan points,
                                             const std::string& wanted, Target target) {
  if (!wants_truth(frame, wanted)) return std::nullopt;
  if (wanted == "reference") return kitti::reference_truth(points, frame.scan.string());
  if (wanted.ends_with(".json")) return truth_of_plane_file(frame, points, wanted);
  if (wanted != "auto") return truth_of_labels(frame, points, kitti::ClassSet::parse(wanted));
  auto truth = kitti::load_ground_truth(frame, points);
  if (truth && target == Target::ground && frame.label) {
    const auto ground = kitti::ClassSet::parse("ground");
    truth->mask = ground.mask(kitti::read_labels(*frame.label, points.size()));
    truth->source += ", labels: ground";
  }
  return truth;
}

}  // namespace roadplane
