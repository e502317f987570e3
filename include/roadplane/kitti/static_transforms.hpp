#pragma once

#include <Eigen/Geometry>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "roadplane/kitti/recording.hpp"

namespace roadplane::kitti {

/// How the frames of reference of a recording lie to each other, as far as its /tf_static says. A
/// slash before a frame's name, as ROS 1 has had it, is left out.
class StaticTransforms {
 public:
  /// Throws InputError for a message that cannot be read.
  explicit StaticTransforms(const Recording& recording);

  bool empty() const { return links_.empty(); }
  /// Of points from one frame to the other; nothing where no transforms lead there.
  std::optional<Eigen::Isometry3d> between(const std::string& from, const std::string& to) const;
  /// The last of the frames that hold this one: base_link, in most recordings.
  std::string root_of(const std::string& frame) const;

 private:
  /// From each frame to those that it is connected with.
  std::map<std::string, std::vector<std::pair<std::string, Eigen::Isometry3d>>> links_;
  std::map<std::string, std::string> parents_;
};

}  // namespace roadplane::kitti
