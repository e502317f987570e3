#include "roadplane/kitti/topic_summary.hpp"

#include <algorithm>

#include "message_types.hpp"
#include "messages.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane::kitti {
namespace {

/// "lidar in base_link, camera in base_link"
std::string frames_text(const std::vector<TransformMessage>& transforms) {
  std::string text;
  for (const TransformMessage& each : transforms) {
    text += (text.empty() ? "" : ", ") + each.child + " in " + each.parent;
  }
  return text;
}

std::string frame_of(const Recording& recording, const RecordedTopic& topic) {
  if (topic.places.empty() || !topic.problem.empty()) return "";
  constexpr std::size_t kMostLetters = 120;
  try {
    const FileBytes bytes = recording.read(topic, topic.places.front());
    if (topic.type == kTransformsType || topic.type == kRos1TransformsType) {
      return shortened(in_one_line(frames_text(read_transforms(bytes, topic.encoding, topic.name))),
                       kMostLetters);
    }
    WireReader reader(bytes, topic.encoding, topic.name);
    return shortened(in_one_line(read_header(reader).frame_id), kMostLetters);
  } catch (const InputError&) {  // said when the message is read for use
    return "";
  }
}

}  // namespace

bool has_clouds(const RecordedTopic& topic) {
  return topic.type == kCloudType && topic.problem.empty() && topic.messages > 0;
}

std::string why_no_clouds(const RecordedTopic& topic) {
  if (!topic.problem.empty()) return in_one_line(topic.problem);
  if (topic.type == kCloudType) return "no messages";
  const std::string_view converter = converter_of_type(topic.type);
  return in_one_line(topic.type) +
         (converter.empty() ? "" : ", made PointCloud2 by " + std::string(converter));
}

std::vector<TopicSummary> summaries_of(const Recording& recording) {
  std::vector<TopicSummary> all;
  for (const RecordedTopic& topic : recording.topics()) {
    TopicSummary summary{&topic, frame_of(recording, topic), ""};
    const bool cloud = topic.type == kCloudType || !converter_of_type(topic.type).empty();
    const bool unreadable = is_used_type(topic.type) && !topic.problem.empty();
    if ((cloud && !has_clouds(topic)) || unreadable) summary.remark = why_no_clouds(topic);
    all.push_back(std::move(summary));
  }
  return all;
}

double duration_s(const Recording& recording) {
  bool any = false;
  std::int64_t first_ns = 0;
  std::int64_t last_ns = 0;
  for (const RecordedTopic& topic : recording.topics()) {
    if (topic.messages == 0) continue;
    first_ns = any ? std::min(first_ns, topic.first_ns) : topic.first_ns;
    last_ns = any ? std::max(last_ns, topic.last_ns) : topic.last_ns;
    any = true;
  }
  return 1e-9 * (static_cast<double>(last_ns) - static_cast<double>(first_ns));
}

}  // namespace roadplane::kitti
