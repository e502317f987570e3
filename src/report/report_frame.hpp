#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "roadplane/evaluation/scoring.hpp"
#include "roadplane/geometry/shards.hpp"
#include "roadplane/ground/target.hpp"
#include "roadplane/kitti/frame.hpp"
#include "roadplane/viz/report.hpp"

namespace roadplane {

/// A plane that somebody found, and up to which distance from it, or from the ground over it, a
/// point is road.
struct MethodResult {
  std::string method;
  Eigen::Vector4d w;
  Surface surface = Surface::plane;
  std::optional<Threshold> threshold;  ///< nothing: what suits each place of the relief
  std::filesystem::path labels;        ///< what it has written; empty if it has not
};

inline constexpr int kThumbnailWidthPx = 128;

/// How a frame is shown in a report.
struct FrameView {
  std::string truth;  ///< as in a configuration
  Target target = Target::road;
  Surface over_plane = Surface::road;  ///< of records that were not labelled by the plane
  Scoring scoring = Scoring::strict;
  ShardKind shards = ShardKind::azimuth;
  int agents = 16;
  std::uint64_t seed = 1;
  std::size_t picture_bytes = 200'000;  ///< at most, a picture
  std::size_t cloud_points = 20'000;    ///< at most
};

/// How many pictures a frame has, at most, with that many methods.
std::size_t most_pictures(std::size_t methods);

/// Draws the frame's scan as every method labelled it: pictures on the camera's image (or from
/// above, where there is none) and the cloud. Where a method has written no labels, they are made
/// anew with the mean of the agents' planes; with several agents some points at the edges may
/// differ. Throws InputError if the scan cannot be read or does not
/// have `points` points; anything else that is bad is said in the frame's note.
viz::Report::Frame report_frame(const kitti::Frame& frame, std::size_t points,
                                std::span<const MethodResult> results, const FrameView& view);

}  // namespace roadplane
