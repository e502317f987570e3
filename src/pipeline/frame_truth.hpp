#pragma once

#include <optional>
#include <string>

#include "roadplane/kitti/frame.hpp"
#include "roadplane/kitti/ground_truth.hpp"

namespace roadplane {

/// What `--truth` asks a frame to be scored against. "auto" takes what the frame has, or nothing;
/// what is named explicitly must be there, else InputError.
std::optional<kitti::GroundTruth> find_truth(const kitti::Frame& frame, PointSpan points,
                                             const std::string& wanted);

}  // namespace roadplane
