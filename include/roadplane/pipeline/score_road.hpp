#pragma once

#include <filesystem>
#include <functional>

#include "roadplane/geometry/rgb_image.hpp"
#include "roadplane/kitti/frame.hpp"
#include "roadplane/pipeline/score_labels.hpp"
#include "roadplane/results/road_score.hpp"

namespace roadplane {

/// Gets the map of each frame that is scored: 400 x 800 pixels, forward up, as viz's palette has
/// hits and misses.
using TakeRoadMap = std::function<void(const kitti::Frame& frame, const RgbImage& map)>;

/// Scores labels as KITTI's road benchmark does. A frame's points are made a dense map of the
/// ground; each cell of the view from above is looked at where the camera sees it, as the truth
/// there was drawn on the camera's picture. What is missing, too much or damaged is named in the
/// result, and the rest is scored. Throws InputError if nothing can be scored at all. Of the
/// configuration, target and scoring are not looked at.
RoadScore score_road(const ScoreConfig& config, const TakeRoadMap& take_map = {});

}  // namespace roadplane
