#pragma once

#include <vector>

#include "roadplane/compare/compare_config.hpp"
#include "roadplane/kitti/frame.hpp"

namespace roadplane {

/// Frames to compare on, and others to tune on.
struct FrameChoice {
  std::vector<kitti::Frame> compared;
  std::vector<kitti::Frame> tuned;
};

/// Opens the data set. Throws FieldError naming `tune_frames` if one of them is also compared.
FrameChoice choose_frames(const CompareConfig& config);

}  // namespace roadplane
