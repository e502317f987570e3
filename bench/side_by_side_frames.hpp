#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "roadplane/geometry/point.hpp"

namespace side_by_side {

/// A scan with its truth.
struct TruthFrame {
  std::string group;  ///< frames of one kind: folder of the recording
  std::string name;
  std::string source;  ///< of the truth: "annotation", "label:road", ...
  roadplane::Scan scan;
  std::vector<std::uint8_t> mask;  ///< 1 for a road point
  Eigen::Vector4d w;               ///< the road's hyperplane
};

using Visit = std::function<void(const TruthFrame&)>;

/// Every frame below `folder` with an annotation or with labels (class set road), one at a time,
/// sorted by folder; gives how many there were.
int visit_frames_below(const std::filesystem::path& folder, const Visit& visit);

/// Synthetic streets with exact planes, for where there is no recording.
int visit_synthetic_frames(const Visit& visit);

}  // namespace side_by_side
