#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "roadplane/evaluation/scoring.hpp"
#include "roadplane/geometry/point.hpp"
#include "roadplane/kitti/frame.hpp"
#include "roadplane/kitti/label_file.hpp"

namespace roadplane::kitti {

/// What a frame's result is measured against, and where it came from.
struct GroundTruth {
  std::vector<std::uint8_t> mask;  ///< kPositive, kNegative or kLeftOut a point; empty if unknown
  Eigen::Vector4d hyperplane;      ///< w*, unit length, oriented upwards
  std::string source;  ///< "annotation", "label:road", "plane file"; "reference" is an estimate
  Scoring scoring = Scoring::strict;  ///< that the mask follows
};

/// The truth of a frame whose points are `points`: its annotation, else its plane file (with the
/// mask of its label, if there is one), else its label. Nothing if it has none of them.
std::optional<GroundTruth> load_ground_truth(const Frame& frame, PointSpan points,
                                             const ClassSet& classes = ClassSet::road());

/// The plane of a frame in `file`, with the mask of the frame's label if there is one. Nothing if
/// the file has no plane of the frame.
std::optional<GroundTruth> truth_from_plane_file(const Frame& frame, PointSpan points,
                                                 const std::filesystem::path& file,
                                                 const ClassSet& classes = ClassSet::road());

/// The truth of a frame's label file; nothing if it has none.
std::optional<GroundTruth> truth_from_labels(const Frame& frame, PointSpan points,
                                             const ClassSet& classes);

/// w* of the points of the mask: the eigenvector of the smallest eigenvalue of sum b b' over
/// the points of the mask. Throws InputError beginning with `where` if they determine no plane.
GroundTruth truth_from_mask(PointSpan points, std::vector<std::uint8_t> mask,
                            const std::string& source, const std::string& where);

/// The points that a frame's annotation calls road, 1 or 0 a point. Throws InputError unless they
/// are as many as the points.
std::vector<std::uint8_t> annotated_mask(const Frame& frame, PointSpan points);

/// The reference plane (see reference_plane.hpp) for a frame without truth: no mask, and its source
/// is always "reference". Throws InputError beginning with `where` if the scan holds no plane.
GroundTruth reference_truth(PointSpan points, const std::string& where);

}  // namespace roadplane::kitti
