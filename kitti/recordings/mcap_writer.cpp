#include "mcap_writer.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <stdexcept>

#include "mcap_format.hpp"

namespace roadplane::kitti {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 20;  ///< a chunk ends when it has as many
constexpr int kZstdLevel = 1;                              ///< clouds shrink little more by others

using Bytes = std::vector<std::byte>;

/// A record, or a part of one.
class Builder {
 public:
  template <class T>
  Builder& value(T value) {
    return raw(std::as_bytes(std::span(&value, 1)));
  }
  Builder& text(std::string_view text) {
    value(static_cast<std::uint32_t>(text.size()));
    return raw(std::as_bytes(std::span(text)));
  }
  Builder& raw(std::span<const std::byte> more) {
    const std::size_t before = bytes_.size();  // insert() is warned of by GCC 12
    bytes_.resize(before + more.size());
    std::ranges::copy(more, bytes_.begin() + static_cast<std::ptrdiff_t>(before));
    return *this;
  }
  Bytes bytes() const { return bytes_; }
  /// With its opcode and its length before it.
  Bytes record(McapOp op) const {
    Builder whole;
    whole.value(op).value(static_cast<std::uint64_t>(bytes_.size())).raw(bytes_);
    return whole.bytes_;
  }

 private:
  Bytes bytes_;
};

std::uint32_t crc_of(std::span<const std::byte> bytes, std::uint32_t before = 0) {
  return static_cast<std::uint32_t>(
      crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

Bytes packed(std::span<const std::byte> plain) {
  Bytes bytes(ZSTD_compressBound(plain.size()));
  const std::size_t size =
      ZSTD_compress(bytes.data(), bytes.size(), plain.data(), plain.size(), kZstdLevel);
  if (ZSTD_isError(size) != 0) throw std::runtime_error(ZSTD_getErrorName(size));
  bytes.resize(size);
  return bytes;
}

Bytes flat(const std::vector<Bytes>& records) {
  Bytes all;
  for (const Bytes& record : records) all.insert(all.end(), record.begin(), record.end());
  return all;
}

}  // namespace

McapWriter::McapWriter(Sink sink, std::string_view library) : sink_(std::move(sink)) {
  put(std::as_bytes(std::span(kMcapMagic)));
  put(Builder().text("ros2").text(library).record(McapOp::header));
}

void McapWriter::put(std::span<const std::byte> bytes) {
  sink_(bytes);
  position_ += bytes.size();
  data_crc_ = crc_of(bytes, data_crc_);
}

McapWriter::Id McapWriter::add_schema(std::string_view name, std::string_view encoding,
                                      std::string_view text) {
  const auto id = static_cast<Id>(schemas_.size() + 1);
  schemas_.push_back(
      Builder().value(id).text(name).text(encoding).text(text).record(McapOp::schema));
  chunk_.insert(chunk_.end(), schemas_.back().begin(), schemas_.back().end());
  return id;
}

McapWriter::Id McapWriter::add_channel(std::string_view topic, std::string_view encoding,
                                       Id schema) {
  const auto id = static_cast<Id>(channels_.size());
  constexpr std::uint32_t kNoMetadata = 0;
  channels_.push_back(Builder()
                          .value(id)
                          .value(schema)
                          .text(topic)
                          .text(encoding)
                          .value(kNoMetadata)
                          .record(McapOp::channel));
  chunk_.insert(chunk_.end(), channels_.back().begin(), channels_.back().end());
  return id;
}

void McapWriter::write(Id channel, std::int64_t time_ns, std::span<const std::byte> message) {
  const bool first = entries_.empty();
  chunk_first_ns_ = first ? time_ns : std::min(chunk_first_ns_, time_ns);
  chunk_last_ns_ = first ? time_ns : std::max(chunk_last_ns_, time_ns);
  entries_[channel].push_back({time_ns, chunk_.size()});
  const auto sequence = static_cast<std::uint32_t>(counts_[channel]++);
  const Bytes record =
      Builder().value(channel).value(sequence).value(time_ns).value(time_ns).raw(message).record(
          McapOp::message);
  chunk_.insert(chunk_.end(), record.begin(), record.end());
  if (chunk_.size() >= kChunkBytes) end_chunk();
}

std::uint64_t McapWriter::write_indexes(ChunkIndex& index) {
  const std::uint64_t begin = position_;
  for (auto& [channel, entries] : entries_) {
    index.indexes[channel] = position_;
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.time_ns < b.time_ns; });
    Builder rows;
    for (const Entry& entry : entries) rows.value(entry.time_ns).value(entry.offset);
    const Bytes bytes = rows.bytes();
    put(Builder()
            .value(channel)
            .value(static_cast<std::uint32_t>(bytes.size()))
            .raw(bytes)
            .record(McapOp::message_index));
  }
  return position_ - begin;
}

void McapWriter::end_chunk() {
  if (chunk_.empty()) return;
  const Bytes records = packed(chunk_);
  const Bytes chunk = Builder()
                          .value(chunk_first_ns_)
                          .value(chunk_last_ns_)
                          .value(static_cast<std::uint64_t>(chunk_.size()))
                          .value(crc_of(chunk_))
                          .text("zstd")
                          .value(static_cast<std::uint64_t>(records.size()))
                          .raw(records)
                          .record(McapOp::chunk);
  ChunkIndex index{chunk_first_ns_, chunk_last_ns_, position_, chunk.size(), {}, 0,
                   records.size(),  chunk_.size()};
  put(chunk);
  index.index_bytes = write_indexes(index);
  chunks_.push_back(std::move(index));
  chunk_.clear();
  entries_.clear();
  chunk_first_ns_ = chunk_last_ns_ = 0;
}

Bytes McapWriter::statistics() const {
  std::uint64_t messages = 0;
  Builder counts;
  for (const auto& [channel, count] : counts_) {
    messages += count;
    counts.value(channel).value(count);
  }
  std::int64_t first_ns = 0;
  std::int64_t last_ns = 0;
  bool any = false;
  for (const ChunkIndex& chunk : chunks_) {
    if (chunk.indexes.empty()) continue;
    first_ns = any ? std::min(first_ns, chunk.first_ns) : chunk.first_ns;
    last_ns = any ? std::max(last_ns, chunk.last_ns) : chunk.last_ns;
    any = true;
  }
  const Bytes rows = counts.bytes();
  constexpr std::uint32_t kNone = 0;  // attachments, metadata
  return Builder()
      .value(messages)
      .value(static_cast<std::uint16_t>(schemas_.size()))
      .value(static_cast<std::uint32_t>(channels_.size()))
      .value(kNone)
      .value(kNone)
      .value(static_cast<std::uint32_t>(chunks_.size()))
      .value(first_ns)
      .value(last_ns)
      .value(static_cast<std::uint32_t>(rows.size()))
      .raw(rows)
      .record(McapOp::statistics);
}

/// The groups of the summary that begins there, and where each of them is; the sum is yet to come.
Bytes McapWriter::summary(std::uint64_t begin) const {
  std::vector<Bytes> indexes;
  for (const ChunkIndex& c : chunks_) {
    Builder offsets;
    for (const auto& [channel, offset] : c.indexes) offsets.value(channel).value(offset);
    const Bytes rows = offsets.bytes();
    indexes.push_back(Builder()
                          .value(c.first_ns)
                          .value(c.last_ns)
                          .value(c.begin)
                          .value(c.bytes)
                          .value(static_cast<std::uint32_t>(rows.size()))
                          .raw(rows)
                          .value(c.index_bytes)
                          .text("zstd")
                          .value(c.packed_bytes)
                          .value(c.plain_bytes)
                          .record(McapOp::chunk_index));
  }
  struct Group {
    McapOp op;
    Bytes records;
  };
  const Group groups[] = {{McapOp::schema, flat(schemas_)},
                          {McapOp::channel, flat(channels_)},
                          {McapOp::statistics, statistics()},
                          {McapOp::chunk_index, flat(indexes)}};
  Builder all;
  Builder offsets;
  std::uint64_t at = begin;
  for (const Group& group : groups) {
    if (group.records.empty()) continue;
    all.raw(group.records);
    const std::uint64_t bytes = group.records.size();
    offsets.raw(Builder().value(group.op).value(at).value(bytes).record(McapOp::summary_offset));
    at += bytes;
  }
  all.raw(offsets.bytes());
  // The footer's sum is of all before it, its own head and offsets included.
  all.value(McapOp::footer).value(kMcapFooterBytes).value(begin).value(at);
  return all.bytes();
}

void McapWriter::finish() {
  end_chunk();
  put(Builder().value(data_crc_).record(McapOp::data_end));
  const Bytes all = summary(position_);
  put(all);
  put(Builder().value(crc_of(all)).bytes());
  put(std::as_bytes(std::span(kMcapMagic)));
}

}  // namespace roadplane::kitti
