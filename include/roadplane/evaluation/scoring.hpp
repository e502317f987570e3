#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "roadplane/evaluation/class_set.hpp"
#include "roadplane/geometry/point.hpp"

namespace roadplane {

/// Which points a score counts, and as what. Papers differ in it, and their scores do not compare.
enum class Scoring {
  strict,       ///< every point counts; vegetation, unlabelled and outliers are negative
  patchworkpp,  ///< vegetation, unlabelled and outliers are left out
  patchwork,    ///< vegetation below -1.3 m counts as ground; unlabelled and outliers are left out
};

/// Throws FieldError naming `scoring`.
Scoring scoring_from_string(std::string_view name);
std::string_view to_string(Scoring scoring);

/// What a point is in a score: the bytes of a truth.
inline constexpr std::uint8_t kNegative = 0;
inline constexpr std::uint8_t kPositive = 1;
inline constexpr std::uint8_t kLeftOut = 2;

/// What each point counts as. A class of the set is positive, whatever the scoring. Low vegetation
/// can be positive only where terrain is: it is a rule for ground, not for roads.
std::vector<std::uint8_t> scored_truth(Scoring scoring, const ClassSet& positive, PointSpan points,
                                       std::span<const std::uint32_t> labels);

/// The same in words: "positive: 40, 44, 60; left out: 0, 1, 70".
std::string rule_of(Scoring scoring, const ClassSet& positive);

}  // namespace roadplane
