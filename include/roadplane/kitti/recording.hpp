#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "roadplane/base/file.hpp"

namespace roadplane::kitti {

/// Where a message lies in the files of a recording.
struct MessagePlace {
  static constexpr std::uint32_t kNoChunk = std::numeric_limits<std::uint32_t>::max();

  std::int64_t time_ns = 0;        ///< when it was recorded, since 1970
  std::uint64_t offset = 0;        ///< [bytes] in its chunk or else in the file; a database's row
  std::uint32_t chunk = kNoChunk;  ///< of its file
  std::uint32_t file = 0;
};

struct RecordedTopic {
  std::string name;
  std::string type;      ///< "sensor_msgs/PointCloud2", as ROS 1 calls it
  std::string encoding;  ///< "ros1", "cdr", or what is not read
  std::string problem;   ///< why its messages cannot be read; empty if they can
  std::uint64_t messages = 0;
  std::int64_t first_ns = 0;         ///< the time of its first message
  std::int64_t last_ns = 0;          ///< and of its last
  std::vector<MessagePlace> places;  ///< by time, where the program has a use for the type

  double rate_hz() const;  ///< 0 for one message
};

class RecordingFile;

/// A recording of ROS 1 (bag 2.0) or ROS 2 (sqlite3, MCAP): a file, or the folder of a ROS 2 bag.
/// Its messages are read one by one, in any order and by several threads; what is in memory is
/// where they lie, and the message asked for.
class Recording {
 public:
  /// Throws InputError for what is no recording. One that is cut short is taken as far as it goes.
  explicit Recording(const std::filesystem::path& path);
  ~Recording();

  const std::filesystem::path& path() const { return path_; }
  const std::vector<RecordedTopic>& topics() const { return topics_; }  ///< sorted by name
  const std::vector<std::string>& remarks() const { return remarks_; }

  static constexpr std::uint64_t kWhole = std::numeric_limits<std::uint64_t>::max();
  /// The first `most` bytes of a message, or all of it. Throws InputError.
  FileBytes read(const RecordedTopic& topic, const MessagePlace& place,
                 std::uint64_t most = kWhole) const;

 private:
  void take_topics();

  std::filesystem::path path_;
  std::vector<std::unique_ptr<RecordingFile>> files_;
  std::vector<RecordedTopic> topics_;
  std::vector<std::string> remarks_;
};

/// The extensions of recordings, in small letters.
bool has_recording_extension(const std::filesystem::path& path);
/// Such a file, or a folder with the metadata.yaml of a ROS 2 bag.
bool is_recording(const std::filesystem::path& path);

}  // namespace roadplane::kitti
