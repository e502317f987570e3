#include <algorithm>
#include <cstring>
#include <map>

#include "byte_reader.hpp"
#include "chunked_file.hpp"
#include "mcap_format.hpp"
#include "message_types.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane::kitti {
namespace {

constexpr std::uint64_t kMostTextBytes = std::uint64_t{16} << 20;  ///< of a schema; real: 10 kB

/// An MCAP file: records, and chunks of records. An index of the messages of a chunk, by channel,
/// follows it; schemas and channels stand in the chunks, and again in the summary at the end.
class McapFile final : public ChunkedFile {
 public:
  explicit McapFile(const std::filesystem::path& path) : ChunkedFile(path) {
    BlockStream stream(file(), whole_file(), where());
    check_magic(stream);
    take_summary();
    try {
      while (walk(stream)) {
      }
    } catch (const InputError& error) {
      add_remark("cut short, " + error.expected() + " expected and " + error.found() +
                 " found; what comes before is used");
    }
    finish();
  }

 private:
  struct Record {
    McapOp op{};
    std::uint64_t bytes = 0;  ///< of what comes next in the stream
    std::string where;
  };

  static Record read_record(BlockStream& stream) {
    Record record;
    record.where = stream.where() + ": record at byte " + std::to_string(stream.position());
    record.op = static_cast<McapOp>(stream.value<std::uint8_t>());
    record.bytes = stream.value<std::uint64_t>();
    if (record.op == McapOp{}) throw InputError(record.where, "a record of MCAP", "opcode 0");
    return record;
  }

  void check_magic(BlockStream& stream) const {
    const FileBytes first = stream.read(std::min<std::uint64_t>(kMcapMagic.size(), stream.rest()));
    const std::string_view text(reinterpret_cast<const char*>(first.data()), first.size());
    const std::string_view magic(reinterpret_cast<const char*>(kMcapMagic.data()),
                                 kMcapMagic.size());
    if (text != magic) throw InputError(where(), "an MCAP file", in_quotes(text));
  }

  /// So that what no topic of interest is needs no memory during the walk. What is bad there is
  /// said when the walk gets there.
  void take_summary() try {
    constexpr std::uint64_t kTail = kMcapRecordBytes + kMcapFooterBytes + kMcapMagic.size();
    if (file().size() < kTail) return;
    BlockStream footer(file(), whole_file(), where());
    footer.skip(file().size() - kTail);
    if (read_record(footer).op != McapOp::footer) return;
    const auto begin = footer.value<std::uint64_t>();
    if (begin == 0) return;  // there is none
    BlockStream stream(file(), whole_file(), where());
    stream.skip(begin);
    while (true) {
      const Record record = read_record(stream);
      if (record.op != McapOp::schema && record.op != McapOp::channel) return;
      take_description(record, stream);
    }
  } catch (const InputError&) {
  }

  /// False at the end of the records.
  bool walk(BlockStream& stream) {
    const std::uint64_t begin = stream.position();
    const Record record = read_record(stream);
    switch (record.op) {
      case McapOp::footer:
        return false;
      case McapOp::schema:
      case McapOp::channel:
        take_description(record, stream);
        return true;
      case McapOp::chunk:
        take_chunk(record, stream);
        return true;
      case McapOp::message_index:
        take_index(record, stream);
        return true;
      case McapOp::message: {
        const auto channel = stream.value<std::uint16_t>();
        stream.skip(4);
        const auto time_ns = stream.value<std::int64_t>();
        stream.skip(record.bytes - std::min<std::uint64_t>(record.bytes, 14));
        catalog().add(channel, {time_ns, begin});
        return true;
      }
      default:
        stream.skip(record.bytes);
        return true;
    }
  }

  void take_chunk(const Record& record, BlockStream& stream) {
    const std::uint64_t begin = stream.position();
    stream.skip(16);
    const auto plain_bytes = stream.value<std::uint64_t>();
    stream.skip(4);
    const auto name_bytes = stream.value<std::uint32_t>();
    constexpr std::uint32_t kMostNameBytes = 64;
    if (name_bytes > kMostNameBytes) {
      throw InputError(record.where, "the name of a compression",
                       std::to_string(name_bytes) + " bytes");
    }
    const FileBytes name = stream.read(name_bytes);
    const auto bytes = stream.value<std::uint64_t>();
    const std::uint64_t header = stream.position() - begin;
    if (record.bytes < header || bytes > record.bytes - header) {
      throw InputError(record.where, "a chunk of " + std::to_string(bytes) + " bytes",
                       std::to_string(record.bytes));
    }
    add_chunk({stream.position(), std::min(bytes, stream.rest()), plain_bytes,
               std::string(reinterpret_cast<const char*>(name.data()), name.size())});
    stream.skip(record.bytes - header);
  }

  void take_index(const Record& record, BlockStream& stream) {
    const auto channel = stream.value<std::uint16_t>();
    const auto bytes = stream.value<std::uint32_t>();
    constexpr std::uint32_t kEntryBytes = 16;
    if (!has_chunk() || record.bytes != bytes + std::uint64_t{6} || bytes % kEntryBytes != 0) {
      throw InputError(record.where, "an index of the chunk before it", "another one");
    }
    for (std::uint32_t k = 0; k < bytes / kEntryBytes; ++k) {
      const auto time_ns = stream.value<std::int64_t>();
      add_index_entry(channel, time_ns, stream.value<std::uint64_t>());
    }
  }

  void take_description(const Record& record, BlockStream& stream) {
    if (record.bytes > kMostTextBytes) {
      throw InputError(record.where, "at most " + std::to_string(kMostTextBytes) + " bytes",
                       std::to_string(record.bytes));
    }
    const FileBytes bytes = stream.read(record.bytes);
    ByteReader reader(bytes, record.where);
    const auto id = reader.value<std::uint16_t>();
    if (record.op == McapOp::schema) {
      Schema schema;
      schema.name = short_type(reader.text());
      schema.encoding = std::string(reader.text());
      schemas_.emplace(id, std::move(schema));
      return;
    }
    const auto schema_id = reader.value<std::uint16_t>();
    RecordedTopic topic;
    topic.name = std::string(reader.text());
    topic.encoding = std::string(reader.text());
    const auto schema = schemas_.find(schema_id);
    if (schema != schemas_.end()) topic.type = schema->second.name;
    const bool readable = topic.encoding == "cdr" || topic.encoding == "ros1";
    if (!readable) {
      topic.problem = "messages encoded as " + in_quotes(topic.encoding);
    } else if (schema == schemas_.end()) {
      topic.problem = "a channel of a schema that is not there";
    } else if (is_used_type(topic.type) && !schema->second.is_ros()) {
      topic.problem = "a schema in the words of " + in_quotes(schema->second.encoding);
    }
    catalog().describe(id, catalog().topic(topic));
  }

  Message read_message_header(BlockStream& stream) const override {
    const Record record = read_record(stream);
    if (record.op != McapOp::message || record.bytes < kMcapMessageHeaderBytes) {
      throw InputError(record.where, "a message",
                       "opcode " + std::to_string(static_cast<int>(record.op)));
    }
    const auto channel = stream.value<std::uint16_t>();
    stream.skip(kMcapMessageHeaderBytes - sizeof channel);
    return {channel, record.bytes - kMcapMessageHeaderBytes};
  }

  void scan_records(BlockStream& stream, std::uint32_t chunk, bool messages) override {
    while (stream.rest() > 0) {
      const std::uint64_t begin = stream.position();
      const Record record = read_record(stream);
      if (record.op == McapOp::schema || record.op == McapOp::channel) {
        take_description(record, stream);
      } else if (record.op == McapOp::message && record.bytes >= kMcapMessageHeaderBytes) {
        const auto channel = stream.value<std::uint16_t>();
        stream.skip(4);
        const auto time_ns = stream.value<std::int64_t>();
        stream.skip(record.bytes - 14);
        if (messages) catalog().add(channel, {time_ns, begin, chunk});
      } else {
        stream.skip(record.bytes);
      }
    }
  }

  struct Schema {
    std::string name;
    std::string encoding;

    bool is_ros() const {
      return encoding == "ros2msg" || encoding == "ros1msg" || encoding == "ros2idl";
    }
  };
  std::map<std::uint16_t, Schema> schemas_;
};

}  // namespace

std::unique_ptr<RecordingFile> open_mcap(const std::filesystem::path& path) {
  return std::make_unique<McapFile>(path);
}

}  // namespace roadplane::kitti
