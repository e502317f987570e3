#pragma once

#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "block_stream.hpp"
#include "recording_file.hpp"

namespace roadplane::kitti {

/// What a ROS 1 bag and an MCAP file have in common: records one after the other, and chunks, which
/// are records that hold records. The file is walked once from its beginning to its end, from
/// record to record, past what chunks hold: nothing leads back, and where a record is bad or the
/// file ends, what came before is used. A chunk is unpacked only where no index follows it.
class ChunkedFile : public RecordingFile {
 public:
  FileBytes read(const RecordedTopic& topic, const MessagePlace& place,
                 std::uint64_t most) const override;

 protected:
  explicit ChunkedFile(const std::filesystem::path& path);

  struct Message {
    std::uint32_t connection = 0;
    std::uint64_t bytes = 0;  ///< of its data, which comes next
  };
  /// Throws InputError unless the stream is at a message.
  virtual Message read_message_header(BlockStream& stream) const = 0;
  /// The records of a chunk: connections and, if they are wanted, messages.
  virtual void scan_records(BlockStream& stream, std::uint32_t chunk, bool messages) = 0;

  const FileReader& file() const { return file_; }
  const std::string& where() const { return where_; }
  Block whole_file() const { return {0, file_.size(), file_.size()}; }
  Catalog& catalog() { return catalog_; }

  void add_chunk(const Block& block);
  bool has_chunk() const { return !chunks_.empty(); }
  void add_index_entry(std::uint32_t connection, std::int64_t time_ns, std::uint64_t offset);
  void add_remark(const std::string& remark) { remarks_.push_back(where_ + ": " + remark); }
  /// After the walk: chunks without an index are looked into, and topics_ are made.
  void finish();

 private:
  struct Chunk {
    Block block;
    bool indexed = false;
  };
  BlockStream open_chunk(std::uint32_t chunk) const;
  void scan_chunk(std::uint32_t chunk, bool messages);
  /// A stream that has not passed the place yet.
  BlockStream stream_before(const MessagePlace& place) const;
  void keep(BlockStream stream, std::uint32_t chunk) const;

  FileReader file_;
  std::string where_;
  Catalog catalog_;
  std::vector<Chunk> chunks_;
  mutable std::mutex mutex_;
  /// Streams in the middle of their chunk, the last used one at the end: what is read in order is
  /// unpacked once.
  mutable std::vector<std::pair<std::uint32_t, BlockStream>> idle_;
};

}  // namespace roadplane::kitti
