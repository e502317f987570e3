#include "score.hpp"

#include <optional>

#include "arrays.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/evaluation/label_counts.hpp"
#include "roadplane/pipeline/frame_truth.hpp"

namespace roadplane::python {
namespace {

py::dict dict_of(const Confusion& c) {
  py::dict d;
  d["true_positives"] = c.true_positives;
  d["false_positives"] = c.false_positives;
  d["false_negatives"] = c.false_negatives;
  d["true_negatives"] = c.true_negatives;
  d["precision"] = c.precision();
  d["recall"] = c.recall();
  d["f1"] = c.f1();
  d["iou"] = c.iou();
  d["accuracy"] = c.accuracy();
  return d;
}

void require_length(std::size_t found, std::size_t labels, const char* where) {
  if (found == labels) return;
  throw InputError(where, "as many as labels (" + std::to_string(labels) + ")",
                   std::to_string(found));
}

/// kPositive, kNegative or kLeftOut a point.
std::vector<std::uint8_t> truth_of(const py::object& truth, PointSpan points,
                                   const ClassSet& positive, Scoring scoring) {
  if (!is_mask(truth)) {
    const std::vector<std::uint32_t> classes = classes_of_array(truth, "truth");
    require_length(classes.size(), points.size(), "truth");
    return scored_truth(scoring, positive, points, classes);
  }
  if (scoring != Scoring::strict) {
    throw InputError("scoring", "strict for a truth of bool, whose points have no classes",
                     std::string(to_string(scoring)));
  }
  std::vector<std::uint8_t> mask = mask_of(truth, "truth");
  require_length(mask.size(), points.size(), "truth");
  return mask;
}

}  // namespace

py::tuple score(const py::object& labels, const py::object& truth, const py::object& points,
                const std::string& target, const std::string& scoring_name) {
  const Scoring scoring = scoring_from_string(scoring_name);
  const ClassSet positive = classes_of(target_from_string(target));
  const std::vector<std::uint8_t> mask = is_mask(labels)
                                             ? mask_of(labels, "labels")
                                             : positive.mask(classes_of_array(labels, "labels"));
  if (points.is_none() && scoring == Scoring::patchwork) {
    throw InputError("points", "the scan, whose heights this scoring looks at", "None");
  }
  std::optional<PointArray> rows;
  if (!points.is_none()) rows.emplace(points);
  const Scan nowhere(rows ? 0 : mask.size());  // at no distance
  const PointSpan scan = rows ? rows->points() : nowhere;
  require_length(scan.size(), mask.size(), "points");

  const LabelCounts counts = count_labels(scan, mask, truth_of(truth, scan, positive, scoring));
  py::object bands = py::none();
  if (rows) {
    bands = py::dict();
    for (std::size_t k = 0; k < kDistanceBands.size(); ++k) {
      bands[py::str(std::string(kDistanceBands[k].name))] = dict_of(counts.by_distance[k]);
    }
  }
  return py::make_tuple(dict_of(counts.all), counts.left_out, bands);
}

}  // namespace roadplane::python
