#include <algorithm>
#include <optional>

#include "byte_reader.hpp"
#include "chunked_file.hpp"
#include "message_types.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane::kitti {
namespace {

constexpr std::string_view kMagic = "#ROSBAG V2.0\n";
constexpr std::uint64_t kMostHeaderBytes = std::uint64_t{1} << 20;  ///< real ones have about 100

/// A ROS 1 bag, format 2.0: records of a header (`name=value` fields) and data. An index of the
/// messages of a chunk, by connection, follows it; what connections are stands at the end, and in
/// the chunks.
class Ros1Bag final : public ChunkedFile {
 public:
  explicit Ros1Bag(const std::filesystem::path& path) : ChunkedFile(path) {
    BlockStream stream(file(), whole_file(), where());
    check_magic(stream);
    take_connections_at_the_end();
    try {
      while (stream.rest() > 0) walk(stream);
    } catch (const InputError& error) {
      add_remark("cut short, " + error.expected() + " expected and " + error.found() +
                 " found; what comes before is used");
    }
    finish();
  }

 private:
  struct Op {
    static constexpr int message = 2;
    static constexpr int bag = 3;
    static constexpr int index = 4;
    static constexpr int chunk = 5;
    static constexpr int chunk_info = 6;
    static constexpr int connection = 7;
  };

  /// The header of a record, whose data comes next in the stream.
  struct Record {
    FileBytes header;
    std::string where;
    std::uint64_t data_bytes = 0;

    std::optional<std::span<const std::byte>> find(std::string_view name) const {
      return find_field(header, name, where);
    }
    template <class T>
    T value(std::string_view name) const {
      const auto field = find(name);
      if (!field || field->size() != sizeof(T)) {
        throw InputError(
            where, "a field " + std::string(name) + " of " + std::to_string(sizeof(T)) + " bytes",
            field ? std::to_string(field->size()) + " bytes" : "none");
      }
      return little_endian<T>(field->data());
    }
    std::string text(std::string_view name) const {
      const auto field = find(name);
      if (!field) throw InputError(where, "a field " + std::string(name), "none");
      return {reinterpret_cast<const char*>(field->data()), field->size()};
    }
    int op() const { return value<std::uint8_t>("op"); }
  };

  static std::optional<std::span<const std::byte>> find_field(std::span<const std::byte> fields,
                                                              std::string_view name,
                                                              const std::string& where) {
    ByteReader reader(fields, where);
    while (!reader.empty()) {
      const auto field = reader.take(reader.value<std::uint32_t>());
      const auto equals = std::find(field.begin(), field.end(), std::byte{'='});
      const std::string_view key(reinterpret_cast<const char*>(field.data()),
                                 static_cast<std::size_t>(equals - field.begin()));
      if (equals != field.end() && key == name) return field.subspan(key.size() + 1);
    }
    return std::nullopt;
  }

  static Record read_record(BlockStream& stream) {
    Record record;
    record.where = stream.where() + ": record at byte " + std::to_string(stream.position());
    const auto bytes = stream.value<std::uint32_t>();
    if (bytes > kMostHeaderBytes) {
      throw InputError(record.where,
                       "a header of at most " + std::to_string(kMostHeaderBytes) + " bytes",
                       std::to_string(bytes));
    }
    record.header = stream.read(bytes);
    record.data_bytes = stream.value<std::uint32_t>();
    return record;
  }

  static std::int64_t time_ns(std::uint32_t seconds, std::uint32_t nanoseconds) {
    return std::int64_t{1'000'000'000} * seconds + nanoseconds;
  }

  void check_magic(BlockStream& stream) const {
    const auto most = std::min<std::uint64_t>(kMagic.size(), stream.rest());
    const FileBytes first = stream.read(most);
    const std::string_view text(reinterpret_cast<const char*>(first.data()), first.size());
    if (text == kMagic) return;
    const bool older = text.starts_with("#ROSBAG") || text.starts_with("#ROSRECORD");
    throw InputError(
        where(), "a ROS bag of version 2.0",
        older ? "one of another version, which `rosbag migrate` converts" : in_quotes(text));
  }

  /// So that what no topic of interest is needs no memory during the walk. What is bad there is
  /// said when the walk gets there.
  void take_connections_at_the_end() try {
    BlockStream stream(file(), whole_file(), where());
    stream.skip(kMagic.size());
    const Record header = read_record(stream);
    const auto begin = header.value<std::uint64_t>("index_pos");
    stream.skip(header.data_bytes);
    if (begin < stream.position()) return;
    stream.skip(begin - stream.position());
    while (stream.rest() > 0) {
      const Record record = read_record(stream);
      if (record.op() != Op::connection) return;
      take_connection(record, stream);
    }
  } catch (const InputError&) {
  }

  void walk(BlockStream& stream) {
    const std::uint64_t begin = stream.position();
    const Record record = read_record(stream);
    const std::uint64_t there = std::min(record.data_bytes, stream.rest());
    switch (record.op()) {
      case Op::chunk:
        add_chunk({stream.position(), there, record.value<std::uint32_t>("size"),
                   record.text("compression")});
        break;
      case Op::index:
        return take_index(record, stream);
      case Op::connection:
        return take_connection(record, stream);
      case Op::message:  // outside of a chunk
        catalog().add(record.value<std::uint32_t>("conn"), {message_time(record), begin});
        break;
      case Op::bag:
      case Op::chunk_info:
        break;
      default:
        throw InputError(record.where, "a record of a bag", "op " + std::to_string(record.op()));
    }
    stream.skip(record.data_bytes);
  }

  void take_index(const Record& record, BlockStream& stream) {
    const auto count = record.value<std::uint32_t>("count");
    const auto connection = record.value<std::uint32_t>("conn");
    constexpr std::uint64_t kEntryBytes = 12;
    if (!has_chunk() || record.value<std::uint32_t>("ver") != 1 ||
        record.data_bytes != count * kEntryBytes) {
      throw InputError(record.where, "an index of the chunk before it", "another one");
    }
    for (std::uint32_t k = 0; k < count; ++k) {
      const auto seconds = stream.value<std::uint32_t>();
      const auto nanoseconds = stream.value<std::uint32_t>();
      add_index_entry(connection, time_ns(seconds, nanoseconds), stream.value<std::uint32_t>());
    }
  }

  void take_connection(const Record& record, BlockStream& stream) {
    const FileBytes data = stream.read(record.data_bytes);
    const auto field = [&](std::string_view name) {
      const auto found = find_field(data, name, record.where);
      if (!found) throw InputError(record.where, "a field " + std::string(name), "none");
      return std::string(reinterpret_cast<const char*>(found->data()), found->size());
    };
    RecordedTopic topic;
    topic.name = record.text("topic");
    topic.type = short_type(field("type"));
    topic.encoding = "ros1";
    const std::string md5 = field("md5sum");
    const std::string_view known = md5_of_type(topic.type);
    if (!known.empty() && md5 != "*" && md5 != known) {
      topic.problem =
          "md5sum " + in_quotes(md5) + " where " + std::string(known) + " is that of " + topic.type;
    }
    catalog().describe(record.value<std::uint32_t>("conn"), catalog().topic(topic));
  }

  static std::int64_t message_time(const Record& record) {
    const auto time = record.value<std::uint64_t>("time");
    return time_ns(static_cast<std::uint32_t>(time), static_cast<std::uint32_t>(time >> 32U));
  }

  Message read_message_header(BlockStream& stream) const override {
    const Record record = read_record(stream);
    if (record.op() != Op::message) {
      throw InputError(record.where, "a message", "op " + std::to_string(record.op()));
    }
    return {record.value<std::uint32_t>("conn"), record.data_bytes};
  }

  void scan_records(BlockStream& stream, std::uint32_t chunk, bool messages) override {
    while (stream.rest() > 0) {
      const std::uint64_t begin = stream.position();
      const Record record = read_record(stream);
      if (record.op() == Op::connection) {
        take_connection(record, stream);
        continue;
      }
      stream.skip(record.data_bytes);
      if (messages && record.op() == Op::message) {
        catalog().add(record.value<std::uint32_t>("conn"), {message_time(record), begin, chunk});
      }
    }
  }
};

}  // namespace

std::unique_ptr<RecordingFile> open_ros1_bag(const std::filesystem::path& path) {
  return std::make_unique<Ros1Bag>(path);
}

}  // namespace roadplane::kitti
