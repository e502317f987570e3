#include "roadplane/kitti/recording.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "bag_metadata.hpp"
#include "folder.hpp"
#include "packed_message.hpp"
#include "recording_file.hpp"
#include "roadplane/base/input_error.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<RecordingFile> open_file(const fs::path& file) {
  const std::string extension = lower_extension(file);
  if (extension == ".bag") return open_ros1_bag(file);
  if (extension == ".mcap") return open_mcap(file);
  if (extension == ".db3") return open_sqlite_bag(file);
  const bool packed = extension == ".zstd";
  throw InputError(
      file.string(), "a .bag, .mcap or .db3 file",
      packed ? "a packed file (unsupported; try `zstd -d`)" : "a " + extension + " file");
}

std::vector<fs::path> files_of(const fs::path& path, std::vector<std::string>& remarks) {
  if (!is_folder(path)) return {path};
  const BagMetadata metadata = read_bag_metadata(path);
  std::vector<fs::path> files = metadata.files;
  const auto missing = [&](const fs::path& file) {
    if (is_file(file)) return false;
    remarks.push_back(file.string() + " is missing, though metadata.yaml names it");
    return true;
  };
  std::erase_if(files, missing);
  if (files.empty()) {
    throw InputError(path.string(), metadata.files.front().filename().string() + " in it",
                     describe_entries(path));
  }
  return files;
}

}  // namespace

double RecordedTopic::rate_hz() const {
  if (messages < 2 || last_ns <= first_ns) return 0;
  return static_cast<double>(messages - 1) / (1e-9 * static_cast<double>(last_ns - first_ns));
}

Recording::Recording(const fs::path& path) : path_(path) {
  for (const fs::path& file : files_of(path, remarks_)) files_.push_back(open_file(file));
  take_topics();
}

Recording::~Recording() = default;

/// Those of all files; a topic of several is one.
void Recording::take_topics() {
  const auto key = [](const RecordedTopic& t) {
    return std::tie(t.name, t.type, t.encoding, t.problem);
  };
  for (std::uint32_t number = 0; number < files_.size(); ++number) {
    const RecordingFile& file = *files_[number];
    remarks_.insert(remarks_.end(), file.remarks().begin(), file.remarks().end());
    for (RecordedTopic topic : file.topics()) {
      for (MessagePlace& place : topic.places) place.file = number;
      const auto known = std::find_if(topics_.begin(), topics_.end(),
                                      [&](const auto& t) { return key(t) == key(topic); });
      if (known == topics_.end()) {
        topics_.push_back(std::move(topic));
        continue;
      }
      if (topic.messages == 0) continue;
      const bool first = known->messages == 0;
      known->first_ns = first ? topic.first_ns : std::min(known->first_ns, topic.first_ns);
      known->last_ns = first ? topic.last_ns : std::max(known->last_ns, topic.last_ns);
      known->messages += topic.messages;
      known->places.insert(known->places.end(), topic.places.begin(), topic.places.end());
    }
  }
  for (RecordedTopic& topic : topics_) {
    std::stable_sort(
        topic.places.begin(), topic.places.end(),
        [](const MessagePlace& a, const MessagePlace& b) { return a.time_ns < b.time_ns; });
  }
  std::sort(topics_.begin(), topics_.end(),
            [&](const auto& a, const auto& b) { return key(a) < key(b); });
}

FileBytes Recording::read(const RecordedTopic& topic, const MessagePlace& place,
                          std::uint64_t most) const {
  const RecordingFile& file = *files_[place.file];
  FileBytes bytes = file.read(topic, place, most);
  if (topic.encoding != "cdr" || !is_packed(bytes)) return bytes;
  if (bytes.size() == most) bytes = file.read(topic, place, kWhole);  // blocks are unpacked whole
  return unpacked(bytes, most, path_.string() + ": a message of " + topic.name);
}

bool has_recording_extension(const fs::path& path) {
  const std::string extension = lower_extension(path);
  return extension == ".bag" || extension == ".mcap" || extension == ".db3";
}

bool is_recording(const fs::path& path) {
  if (is_folder(path)) return is_file(path / "metadata.yaml");
  return has_recording_extension(path) && is_file(path);
}

}  // namespace roadplane::kitti
