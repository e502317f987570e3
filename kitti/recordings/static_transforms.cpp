#include "roadplane/kitti/static_transforms.hpp"

#include <algorithm>
#include <deque>
#include <set>

#include "message_types.hpp"
#include "messages.hpp"

namespace roadplane::kitti {
namespace {

std::string frame_name(std::string name) {
  if (name.starts_with('/')) name.erase(0, 1);
  return name;
}

}  // namespace

StaticTransforms::StaticTransforms(const Recording& recording) {
  constexpr std::size_t kMostMessages = 1000;  // each of them has all of one sender's
  for (const RecordedTopic& topic : recording.topics()) {
    const bool transforms = topic.type == kTransformsType || topic.type == kRos1TransformsType;
    if (!transforms || !topic.name.ends_with("tf_static") || !topic.problem.empty()) continue;
    for (std::size_t k = 0; k < std::min(topic.places.size(), kMostMessages); ++k) {
      const FileBytes bytes = recording.read(topic, topic.places[k]);
      for (const auto& t : read_transforms(bytes, topic.encoding, topic.name)) {
        const std::string parent = frame_name(t.parent);
        const std::string child = frame_name(t.child);
        links_[child].emplace_back(parent, t.to_parent);
        links_[parent].emplace_back(child, t.to_parent.inverse());
        parents_[child] = parent;
      }
    }
  }
}

/// The shortest way; a frame is visited once, so that a cycle does no harm.
std::optional<Eigen::Isometry3d> StaticTransforms::between(const std::string& from,
                                                           const std::string& to) const {
  const std::string begin = frame_name(from);
  std::map<std::string, Eigen::Isometry3d> reached{{begin, Eigen::Isometry3d::Identity()}};
  std::deque<std::string> next{begin};
  while (!next.empty()) {
    const std::string frame = next.front();
    next.pop_front();
    if (frame == frame_name(to)) return reached.at(frame);
    const auto links = links_.find(frame);
    if (links == links_.end()) continue;
    for (const auto& [other, step] : links->second) {
      if (reached.emplace(other, step * reached.at(frame)).second) next.push_back(other);
    }
  }
  return std::nullopt;
}

std::string StaticTransforms::root_of(const std::string& frame) const {
  std::string root = frame_name(frame);
  std::set<std::string> seen;
  for (auto up = parents_.find(root); up != parents_.end() && seen.insert(root).second;
       up = parents_.find(root)) {
    root = up->second;
  }
  return root;
}

}  // namespace roadplane::kitti
