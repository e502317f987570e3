#include "roadplane/evaluation/scoring.hpp"

#include <stdexcept>

#include "roadplane/base/named_values.hpp"

namespace roadplane {
namespace {

constexpr NamedValues<Scoring, 3> kScorings{{{Scoring::strict, "strict"},
                                             {Scoring::patchworkpp, "patchworkpp"},
                                             {Scoring::patchwork, "patchwork"}}};

constexpr std::uint32_t kUnlabelled = 0;
constexpr std::uint32_t kOutlier = 1;
constexpr std::uint32_t kVegetation = 70;
constexpr std::uint32_t kTerrain = 72;

/// [m] in the sensor's frame, below which Patchwork takes vegetation for ground. Its authors chose
/// it for KITTI, whose sensor is 1.73 m above the road.
constexpr float kLowVegetationM = -1.3F;

bool is_left_out(Scoring scoring, const ClassSet& positive, std::uint32_t number) {
  if (scoring == Scoring::strict || positive.contains(number)) return false;
  if (number == kVegetation) return scoring == Scoring::patchworkpp;
  return number == kUnlabelled || number == kOutlier;
}

bool takes_low_vegetation(Scoring scoring, const ClassSet& positive) {
  return scoring == Scoring::patchwork && positive.contains(kTerrain) &&
         !positive.contains(kVegetation);
}

}  // namespace

Scoring scoring_from_string(std::string_view name) { return value_of(kScorings, name, "scoring"); }

std::string_view to_string(Scoring scoring) { return name_of(kScorings, scoring); }

std::vector<std::uint8_t> scored_truth(Scoring scoring, const ClassSet& positive, PointSpan points,
                                       std::span<const std::uint32_t> labels) {
  if (points.size() != labels.size()) {
    throw std::invalid_argument("scoring: expected as many labels as points");
  }
  const bool low_vegetation = takes_low_vegetation(scoring, positive);
  std::vector<std::uint8_t> truth(labels.size());
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const std::uint32_t number = labels[k] & 0xFFFFU;
    const bool low = low_vegetation && number == kVegetation && points[k].z < kLowVegetationM;
    truth[k] = low || positive.contains(number)         ? kPositive
               : is_left_out(scoring, positive, number) ? kLeftOut
                                                        : kNegative;
  }
  return truth;
}

std::string rule_of(Scoring scoring, const ClassSet& positive) {
  std::string text = "positive: " + positive.numbers();
  if (takes_low_vegetation(scoring, positive)) text += ", 70 below -1.3 m";
  std::string left_out;
  for (const std::uint32_t number : {kUnlabelled, kOutlier, kVegetation}) {
    if (!is_left_out(scoring, positive, number)) continue;
    left_out += (left_out.empty() ? "" : ", ") + std::to_string(number);
  }
  return text + "; left out: " + (left_out.empty() ? "none" : left_out);
}

}  // namespace roadplane
