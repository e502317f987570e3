#pragma once

#include <bzlib.h>
#include <lz4frame.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "mcap_writer.hpp"
#include "recordings/cdr_writer.hpp"
#include "roadplane/geometry/point.hpp"

namespace roadplane::test {

inline constexpr std::int64_t kFirstStampNs = 1'600'000'000'100'000'000;

using ByteVector = std::vector<std::byte>;

struct SampleField {
  std::string name;
  std::uint32_t offset = 0;
  std::uint8_t datatype = 7;
};

/// A PointCloud2 in the making, its points as bytes.
struct SampleCloud {
  std::int64_t stamp_ns = kFirstStampNs;
  std::string frame_id = "lidar";
  std::uint32_t height = 1;
  std::uint32_t width = 0;
  std::vector<SampleField> fields{{"x", 0}, {"y", 4}, {"z", 8}, {"intensity", 12}};
  bool big_endian = false;
  std::uint32_t point_step = 16;
  std::uint32_t row_step = 0;
  ByteVector data;

  static SampleCloud of(PointSpan points, std::int64_t stamp_ns) {
    SampleCloud cloud;
    cloud.stamp_ns = stamp_ns;
    cloud.width = static_cast<std::uint32_t>(points.size());
    cloud.row_step = cloud.width * cloud.point_step;
    const auto bytes = std::as_bytes(points);
    cloud.data.assign(bytes.begin(), bytes.end());
    return cloud;
  }

  ByteVector cdr() const {
    kitti::CdrWriter out;
    out.header(stamp_ns, frame_id).value(height).value(width);
    out.value(static_cast<std::uint32_t>(fields.size()));
    for (const SampleField& f : fields) {
      out.text(f.name).value(f.offset).value(f.datatype).value(std::uint32_t{1});
    }
    out.value(std::uint8_t{big_endian}).value(point_step).value(row_step);
    out.value(static_cast<std::uint32_t>(data.size())).raw(data).value(std::uint8_t{1});
    return {out.bytes().begin(), out.bytes().end()};
  }

  ByteVector ros1() const;
};

/// Fields one after the other, as ROS 1 has them.
class Ros1Writer {
 public:
  template <class T>
  Ros1Writer& value(T value) {
    return raw(std::as_bytes(std::span(&value, 1)));
  }
  Ros1Writer& raw(std::span<const std::byte> more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return *this;
  }
  Ros1Writer& sized(std::span<const std::byte> more) {
    return value(static_cast<std::uint32_t>(more.size())).raw(more);
  }
  Ros1Writer& text(std::string_view text) { return sized(std::as_bytes(std::span(text))); }
  Ros1Writer& time(std::int64_t ns) {
    value(static_cast<std::uint32_t>(ns / 1'000'000'000));
    return value(static_cast<std::uint32_t>(ns % 1'000'000'000));
  }

  ByteVector bytes;
};

inline ByteVector SampleCloud::ros1() const {
  Ros1Writer out;
  out.value(std::uint32_t{7}).time(stamp_ns).text(frame_id).value(height).value(width);
  out.value(static_cast<std::uint32_t>(fields.size()));
  for (const SampleField& f : fields) {
    out.text(f.name).value(f.offset).value(f.datatype).value(std::uint32_t{1});
  }
  out.value(std::uint8_t{big_endian}).value(point_step).value(row_step).sized(data);
  return out.value(std::uint8_t{1}).bytes;
}

struct SampleTopic {
  std::string name = "/points";
  std::string type = "sensor_msgs/PointCloud2";
  std::string md5 = "1158d486dd51d683ce2f1be655c3c181";
};

struct SampleMessage {
  std::size_t topic = 0;
  std::int64_t time_ns = 0;
  ByteVector data;
};

/// A ROS 1 bag, as its recorder writes them: a chunk for so many messages, its index, the
/// connections again at the end.
struct SampleBag {
  std::vector<SampleTopic> topics{{}};
  std::vector<SampleMessage> messages;
  std::string compression = "none";
  std::size_t messages_per_chunk = 2;
  bool index = true;             ///< after each chunk
  std::int64_t index_shift = 0;  ///< [bytes] a lie in the index
  std::uint32_t chunk_size = 0;  ///< a lie, unless it is 0
  bool connections = true;

  using Fields = std::map<std::string, ByteVector>;
  template <class T>
  static ByteVector field(T value) {
    return Ros1Writer().value(value).bytes;
  }
  static ByteVector field(const std::string& text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
  }
  static ByteVector record(const Fields& fields, const ByteVector& data) {
    Ros1Writer header;
    for (const auto& [name, value] : fields) {
      ByteVector both = field(name + "=");
      both.insert(both.end(), value.begin(), value.end());
      header.sized(both);
    }
    return Ros1Writer().sized(header.bytes).sized(data).bytes;
  }

  ByteVector connection(std::uint32_t number) const {
    const SampleTopic& topic = topics[number];
    Ros1Writer data;
    for (const std::string& text : {"topic=" + topic.name, "type=" + topic.type,
                                    "md5sum=" + topic.md5, std::string("message_definition=")}) {
      data.text(text);
    }
    return record(
        {{"op", field(std::uint8_t{7})}, {"conn", field(number)}, {"topic", field(topic.name)}},
        data.bytes);
  }

  ByteVector packed(const ByteVector& plain) const {
    if (compression == "lz4") {
      ByteVector out(LZ4F_compressFrameBound(plain.size(), nullptr));
      out.resize(LZ4F_compressFrame(out.data(), out.size(), plain.data(), plain.size(), nullptr));
      return out;
    }
    if (compression == "bz2") {
      ByteVector out(plain.size() + plain.size() / 50 + 1000);
      auto size = static_cast<unsigned>(out.size());
      BZ2_bzBuffToBuffCompress(reinterpret_cast<char*>(out.data()), &size,
                               const_cast<char*>(reinterpret_cast<const char*>(plain.data())),
                               static_cast<unsigned>(plain.size()), 1, 0, 0);
      out.resize(size);
      return out;
    }
    return plain;
  }

  ByteVector chunk(std::span<const SampleMessage> some) const {
    ByteVector plain;
    std::map<std::uint32_t, Ros1Writer> indexes;
    const auto add = [&plain](const ByteVector& more) {
      plain.insert(plain.end(), more.begin(), more.end());
    };
    for (const SampleMessage& message : some) {
      const auto number = static_cast<std::uint32_t>(message.topic);
      if (connections && !indexes.contains(number)) add(connection(number));
      indexes[number]
          .time(message.time_ns)
          .value(static_cast<std::uint32_t>(static_cast<std::int64_t>(plain.size()) + index_shift));
      add(record({{"op", field(std::uint8_t{2})},
                  {"conn", field(number)},
                  {"time", Ros1Writer().time(message.time_ns).bytes}},
                 message.data));
    }
    const auto size = chunk_size != 0 ? chunk_size : static_cast<std::uint32_t>(plain.size());
    ByteVector all = record({{"op", field(std::uint8_t{5})},
                             {"compression", field(compression)},
                             {"size", field(size)}},
                            packed(plain));
    for (const auto& [number, rows] : indexes) {
      if (!index) break;
      constexpr std::uint32_t kRow = 12;
      const ByteVector bytes =
          record({{"op", field(std::uint8_t{4})},
                  {"ver", field(std::uint32_t{1})},
                  {"conn", field(number)},
                  {"count", field(static_cast<std::uint32_t>(rows.bytes.size() / kRow))}},
                 rows.bytes);
      all.insert(all.end(), bytes.begin(), bytes.end());
    }
    return all;
  }

  ByteVector bytes() const {
    ByteVector body;
    for (std::size_t k = 0; k < messages.size(); k += messages_per_chunk) {
      const std::size_t count = std::min(messages_per_chunk, messages.size() - k);
      const ByteVector more = chunk(std::span(messages).subspan(k, count));
      body.insert(body.end(), more.begin(), more.end());
    }
    ByteVector all = field(std::string("#ROSBAG V2.0\n"));
    constexpr std::size_t kHead = 4096;
    const auto head = [&](std::uint64_t index_pos) {
      const Fields fields{{"op", field(std::uint8_t{3})},
                          {"index_pos", field(index_pos)},
                          {"conn_count", field(static_cast<std::uint32_t>(topics.size()))},
                          {"chunk_count", field(std::uint32_t{0})}};
      const std::size_t size = record(fields, {}).size();
      return record(fields, ByteVector(kHead - size, std::byte{' '}));
    };
    const ByteVector first = head(all.size() + kHead + body.size());
    all.insert(all.end(), first.begin(), first.end());
    all.insert(all.end(), body.begin(), body.end());
    for (std::uint32_t k = 0; connections && k < topics.size(); ++k) {
      const ByteVector more = connection(k);
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }
};

inline std::filesystem::path write_bytes(const std::filesystem::path& path,
                                         std::span<const std::byte> bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  return path;
}

/// By the project's own writer, whose channels are numbered as the topics.
inline ByteVector sample_mcap(const std::vector<SampleTopic>& topics,
                              const std::vector<SampleMessage>& messages,
                              const std::string& encoding = "cdr",
                              const std::string& schema_encoding = "ros2msg") {
  ByteVector all;
  kitti::McapWriter writer([&all](std::span<const std::byte> bytes) {
    all.insert(all.end(), bytes.begin(), bytes.end());
  });
  for (const SampleTopic& topic : topics) {
    std::string type = topic.type;
    type.insert(type.find('/'), "/msg");
    writer.add_channel(topic.name, encoding, writer.add_schema(type, schema_encoding, ""));
  }
  for (const SampleMessage& message : messages) {
    writer.write(static_cast<std::uint16_t>(message.topic), message.time_ns, message.data);
  }
  writer.finish();
  return all;
}

inline std::filesystem::path write_sqlite_bag(const std::filesystem::path& path,
                                              const std::vector<SampleTopic>& topics,
                                              const std::vector<SampleMessage>& messages) {
  sqlite3* database = nullptr;
  sqlite3_open(path.c_str(), &database);
  const auto run = [&](const std::string& text) {
    sqlite3_exec(database, text.c_str(), nullptr, nullptr, nullptr);
  };
  run("CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format "
      "TEXT, "
      "offered_qos_profiles TEXT)");
  run("CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp INTEGER "
      "NOT NULL, data BLOB NOT NULL)");
  run("BEGIN");
  for (std::size_t k = 0; k < topics.size(); ++k) {
    std::string type = topics[k].type;
    type.insert(type.find('/'), "/msg");
    run("INSERT INTO topics VALUES(" + std::to_string(k + 1) + ", '" + topics[k].name + "', '" +
        type + "', 'cdr', '')");
  }
  for (const SampleMessage& message : messages) {
    sqlite3_stmt* row = nullptr;
    sqlite3_prepare_v2(database, "INSERT INTO messages VALUES(NULL, ?, ?, ?)", -1, &row, nullptr);
    sqlite3_bind_int64(row, 1, static_cast<sqlite3_int64>(message.topic + 1));
    sqlite3_bind_int64(row, 2, message.time_ns);
    sqlite3_bind_blob(row, 3, message.data.data(), static_cast<int>(message.data.size()),
                      SQLITE_STATIC);
    sqlite3_step(row);
    sqlite3_finalize(row);
  }
  run("COMMIT");
  sqlite3_close(database);
  return path;
}

}  // namespace roadplane::test
