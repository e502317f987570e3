#include "recorded_frames.hpp"

#include <algorithm>
#include <cstdio>
#include <set>

#include "folder.hpp"
#include "message_types.hpp"
#include "messages.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/kitti/topic_summary.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;

/// "/points (10.0 Hz, 500 messages)"
std::string described(const RecordedTopic& topic) {
  char rate[32];
  std::snprintf(rate, sizeof rate, "%.1f Hz, ", topic.rate_hz());
  return in_one_line(topic.name) + " (" + rate + std::to_string(topic.messages) + " message" +
         (topic.messages == 1 ? ")" : "s)");
}

std::string described(const std::vector<const RecordedTopic*>& topics) {
  std::string text;
  for (const RecordedTopic* topic : topics) text += (text.empty() ? "" : ", ") + described(*topic);
  return shortened(text, 1000);
}

/// What a recording without clouds has: packets first, for which there is help.
std::string what_else(const Recording& recording) {
  for (const RecordedTopic& topic : recording.topics()) {
    const bool helped = !converter_of_type(topic.type).empty();
    if (topic.type == kCloudType || helped) {
      return in_one_line(topic.name) + " with " + why_no_clouds(topic);
    }
  }
  if (recording.topics().empty()) return "no topics";
  std::set<std::string> types;
  for (const RecordedTopic& topic : recording.topics()) types.insert(in_one_line(topic.type));
  std::string text;
  for (const std::string& type : types) text += (text.empty() ? "" : ", ") + type;
  return shortened(text, 200);
}

const RecordedTopic& chosen(const Recording& recording, const std::optional<std::string>& wanted) {
  std::vector<const RecordedTopic*> clouds;
  for (const RecordedTopic& topic : recording.topics()) {
    if (has_clouds(topic)) clouds.push_back(&topic);
  }
  if (!wanted) {
    if (clouds.size() == 1) return *clouds.front();
    if (!clouds.empty()) throw FieldError("topic", "one of " + described(clouds), "nothing");
    throw InputError(recording.path().string(), "a topic of sensor_msgs/PointCloud2",
                     what_else(recording));
  }
  for (const RecordedTopic* topic : clouds) {
    if (topic->name == *wanted) return *topic;
  }
  for (const RecordedTopic& topic : recording.topics()) {
    if (topic.name != *wanted) continue;
    throw FieldError("topic", "one of sensor_msgs/PointCloud2",
                     in_quotes(*wanted) + " with " + why_no_clouds(topic));
  }
  if (clouds.empty()) {
    throw InputError(recording.path().string(), "a topic of sensor_msgs/PointCloud2",
                     what_else(recording));
  }
  throw FieldError("topic", "one of " + described(clouds), in_quotes(*wanted));
}

/// The stamp of a message, or nothing where it has none.
MessageHeader header_of(const Recording& recording, const RecordedTopic& topic,
                        const MessagePlace& place) {
  try {
    const FileBytes head = recording.read(topic, place, kHeaderBytes);
    WireReader reader(head, topic.encoding, topic.name);
    return read_header(reader);
  } catch (const InputError&) {  // said when the scan is read
    return {};
  }
}

/// A name that no frame has: its stamp, or else when it was recorded.
std::string name_of(std::int64_t stamp_ns, std::int64_t time_ns, std::set<std::string>& taken) {
  for (const std::int64_t ns : {stamp_ns, time_ns}) {
    if (ns <= 0) continue;
    if (const auto [name, is_new] = taken.insert(std::to_string(ns)); is_new) return *name;
  }
  for (int k = 2;; ++k) {
    const std::string text = std::to_string(std::max<std::int64_t>(time_ns, 0));
    const auto [name, is_new] = taken.insert(text + "_" + std::to_string(k));
    if (is_new) return *name;
  }
}

}  // namespace

Frames recorded_frames(const fs::path& path, const std::optional<std::string>& topic) {
  const auto recording = std::make_shared<const Recording>(path);
  const RecordedTopic& clouds = chosen(*recording, topic);
  Frames result;
  result.remarks = recording->remarks();
  std::set<std::string> taken;
  for (const MessagePlace& place : clouds.places) {
    const MessageHeader header = header_of(*recording, clouds, place);
    Frame frame{.sequence = path.stem().string(),
                .number = static_cast<int>(result.frames.size()),
                .scan = path};
    frame.recorded = {recording, &clouds, place, name_of(header.stamp_ns, place.time_ns, taken),
                      header.frame_id};
    result.frames.push_back(std::move(frame));
  }
  return result;
}

std::vector<fs::path> recordings_in(const fs::path& folder) {
  std::vector<fs::path> found = entries_of(folder);
  std::erase_if(found, [](const fs::path& path) { return !is_recording(path); });
  return found;
}

}  // namespace roadplane::kitti
