#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "roadplane/evaluation/scoring.hpp"
#include "roadplane/ground/target.hpp"
#include "roadplane/kitti/frame.hpp"
#include "roadplane/kitti/ground_truth.hpp"

namespace roadplane {

/// The classes that a target's labels mean.
ClassSet classes_of(Target target);

/// What each point of a frame ought to be: its annotation, or its labels as the scoring takes them.
/// Nothing if it has neither.
std::optional<std::vector<std::uint8_t>> truth_of_points(const kitti::Frame& frame,
                                                         PointSpan points, const ClassSet& classes,
                                                         Scoring scoring);

/// What a frame is to be scored against, as a configuration names it. "auto" takes what the frame
/// has, or nothing; what is named explicitly must be there, else InputError.
/// The plane is always that of the road (or of the annotation); which labels are compared is what
/// the target means, unless classes are named.
std::optional<kitti::GroundTruth> find_truth(const kitti::Frame& frame, PointSpan points,
                                             const std::string& wanted, Target target,
                                             Scoring scoring);

/// Whether find_truth() has anything to look at; if not, it needs no points.
bool wants_truth(const kitti::Frame& frame, const std::string& wanted);

}  // namespace roadplane
