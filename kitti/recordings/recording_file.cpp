#include "recording_file.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "message_types.hpp"

namespace roadplane::kitti {

std::string short_type(std::string_view type) {
  std::string text(type);
  const std::size_t middle = text.find("/msg/");
  if (middle != std::string::npos) text.erase(middle, 4);
  return text;
}

std::size_t Catalog::topic(const RecordedTopic& description) {
  for (std::size_t k = 0; k < topics_.size(); ++k) {
    const RecordedTopic& t = topics_[k];
    if (t.name == description.name && t.type == description.type &&
        t.encoding == description.encoding && t.problem == description.problem) {
      return k;
    }
  }
  topics_.push_back(description);
  return topics_.size() - 1;
}

void Catalog::describe(std::uint32_t connection, std::size_t topic) {
  if (!topic_of_.emplace(connection, topic).second) return;
  const auto waiting = strangers_.find(connection);
  if (waiting == strangers_.end()) return;
  for (const MessagePlace& place : waiting->second) add_to_topic(topic, place);
  strangers_.erase(waiting);
}

bool Catalog::belongs(std::uint32_t connection, const RecordedTopic& topic) const {
  const auto found = topic_of_.find(connection);
  return found != topic_of_.end() && topics_[found->second].name == topic.name &&
         topics_[found->second].type == topic.type;
}

void Catalog::add(std::uint32_t connection, const MessagePlace& place) {
  const auto found = topic_of_.find(connection);
  if (found != topic_of_.end()) {
    add_to_topic(found->second, place);
  } else {
    strangers_[connection].push_back(place);
  }
}

void Catalog::add_to_topic(std::size_t topic, const MessagePlace& place) {
  RecordedTopic& t = topics_[topic];
  t.first_ns = t.messages == 0 ? place.time_ns : std::min(t.first_ns, place.time_ns);
  t.last_ns = t.messages == 0 ? place.time_ns : std::max(t.last_ns, place.time_ns);
  ++t.messages;
  if (is_used_type(t.type)) t.places.push_back(place);
}

std::vector<std::uint32_t> Catalog::chunks_of_strangers() const {
  std::set<std::uint32_t> chunks;
  for (const auto& [connection, places] : strangers_) {
    for (const MessagePlace& place : places) {
      if (place.chunk != MessagePlace::kNoChunk) chunks.insert(place.chunk);
    }
  }
  return {chunks.begin(), chunks.end()};
}

std::vector<RecordedTopic> Catalog::topics() const {
  std::vector<RecordedTopic> topics = topics_;
  const auto order = [](const MessagePlace& p) { return std::tuple(p.time_ns, p.chunk, p.offset); };
  for (RecordedTopic& topic : topics) {
    std::sort(topic.places.begin(), topic.places.end(),
              [&](const MessagePlace& a, const MessagePlace& b) { return order(a) < order(b); });
  }
  return topics;
}

std::uint64_t Catalog::strangers() const {
  std::uint64_t count = 0;
  for (const auto& [connection, places] : strangers_) count += places.size();
  return count;
}

}  // namespace roadplane::kitti
