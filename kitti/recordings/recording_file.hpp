#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "roadplane/kitti/recording.hpp"

namespace roadplane::kitti {

/// The topics of one file and where their messages lie, as they become known: a message may be met
/// before its connection (of MCAP: its channel) is described.
class Catalog {
 public:
  /// The number of a topic, which is new unless name, type and encoding are those of one before.
  std::size_t topic(const RecordedTopic& description);
  void describe(std::uint32_t connection, std::size_t topic);
  bool knows(std::uint32_t connection) const { return topic_of_.contains(connection); }
  /// Whether a connection is that of a topic.
  bool belongs(std::uint32_t connection, const RecordedTopic& topic) const;
  void add(std::uint32_t connection, const MessagePlace& place);
  void add_to_topic(std::size_t topic, const MessagePlace& place);

  /// Whether some messages are of a connection that is not described, in a certain chunk.
  bool has_strangers() const { return !strangers_.empty(); }
  std::vector<std::uint32_t> chunks_of_strangers() const;

  /// Sorted by time; to be asked when nothing is added any more.
  std::vector<RecordedTopic> topics() const;
  std::uint64_t strangers() const;  ///< messages that nothing describes

 private:
  std::vector<RecordedTopic> topics_;
  std::unordered_map<std::uint32_t, std::size_t> topic_of_;
  std::unordered_map<std::uint32_t, std::vector<MessagePlace>> strangers_;
};

/// One file of a recording.
class RecordingFile {
 public:
  virtual ~RecordingFile() = default;
  const std::vector<RecordedTopic>& topics() const { return topics_; }
  const std::vector<std::string>& remarks() const { return remarks_; }
  /// The first bytes of a message. Throws InputError.
  virtual FileBytes read(const RecordedTopic& topic, const MessagePlace& place,
                         std::uint64_t most) const = 0;

 protected:
  std::vector<RecordedTopic> topics_;
  std::vector<std::string> remarks_;
};

/// "sensor_msgs/PointCloud2" of "sensor_msgs/msg/PointCloud2".
std::string short_type(std::string_view type);

std::unique_ptr<RecordingFile> open_ros1_bag(const std::filesystem::path& path);
std::unique_ptr<RecordingFile> open_mcap(const std::filesystem::path& path);
std::unique_ptr<RecordingFile> open_sqlite_bag(const std::filesystem::path& path);

}  // namespace roadplane::kitti
