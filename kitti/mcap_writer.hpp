#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roadplane::kitti {

/// Writes an MCAP file from its beginning to its end: messages in chunks packed by zstd, each
/// followed by its index, and a summary with which a reader finds what it wants without reading the
/// rest. Every part has its sum (CRC-32).
class McapWriter {
 public:
  using Sink = std::function<void(std::span<const std::byte>)>;
  using Id = std::uint16_t;

  /// Bytes go to the sink in order.
  explicit McapWriter(Sink sink, std::string_view library = "roadplane");
  McapWriter(const McapWriter&) = delete;
  McapWriter& operator=(const McapWriter&) = delete;

  /// `text` is the type's definition in full, in the words of `encoding` ("ros2msg").
  Id add_schema(std::string_view name, std::string_view encoding, std::string_view text);
  /// `schema` 0 is none.
  Id add_channel(std::string_view topic, std::string_view encoding, Id schema);
  void write(Id channel, std::int64_t time_ns, std::span<const std::byte> message);
  /// Nothing can be written after it; without it the file is cut short.
  void finish();

 private:
  using Bytes = std::vector<std::byte>;
  struct Entry {
    std::int64_t time_ns;
    std::uint64_t offset;  ///< in the plain chunk
  };
  struct ChunkIndex {
    std::int64_t first_ns;
    std::int64_t last_ns;
    std::uint64_t begin;  ///< of the chunk's record in the file
    std::uint64_t bytes;  ///< of that record
    std::map<Id, std::uint64_t> indexes;
    std::uint64_t index_bytes;
    std::uint64_t packed_bytes;
    std::uint64_t plain_bytes;
  };

  void put(std::span<const std::byte> bytes);
  void end_chunk();
  std::uint64_t write_indexes(ChunkIndex& index);
  Bytes statistics() const;
  Bytes summary(std::uint64_t begin) const;

  Sink sink_;
  std::uint64_t position_ = 0;
  std::uint32_t data_crc_ = 0;
  Bytes chunk_;  ///< records that are yet to be packed
  std::map<Id, std::vector<Entry>> entries_;
  std::int64_t chunk_first_ns_ = 0;
  std::int64_t chunk_last_ns_ = 0;

  std::vector<Bytes> schemas_;   ///< records
  std::vector<Bytes> channels_;  ///< records
  std::map<Id, std::uint64_t> counts_;
  std::vector<ChunkIndex> chunks_;
};

}  // namespace roadplane::kitti
