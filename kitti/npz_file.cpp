#include "npz_file.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "roadplane/base/input_error.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane::kitti {
namespace {

using Bytes = std::span<const std::byte>;

// Signatures and sizes of the ".ZIP File Format Specification" (PKWARE); no archive of 4 GB and
// more.
constexpr std::uint32_t kEnd = 0x06054b50;
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kMostComment = 65535;
constexpr std::uint32_t kEntry = 0x02014b50;
constexpr std::size_t kEntryBytes = 46;
constexpr std::uint32_t kLocal = 0x04034b50;
constexpr std::size_t kLocalBytes = 30;
constexpr std::uint16_t kStored = 0;
constexpr std::uint16_t kDeflated = 8;
constexpr std::size_t kMostShrinking = 1040;  // of zlib: what claims more is damaged

constexpr std::string_view kNames[] = {"points", "xyz", "pts", "lidar", "cloud", "arr_0"};

struct Entry {
  std::string name;  // without .npy
  std::uint16_t method = 0;
  std::uint32_t packed = 0;
  std::uint32_t size = 0;
  std::uint32_t at = 0;
};

class Archive {
 public:
  Archive(Bytes bytes, const std::string& where) : bytes_(bytes), where_(where) {}

  std::vector<Entry> arrays() const {
    const std::size_t end = find_end();
    std::size_t at = load<std::uint32_t>(end + 16);
    std::vector<Entry> entries;
    for (auto left = load<std::uint16_t>(end + 10); left > 0; --left) {
      if (load<std::uint32_t>(at) != kEntry) damaged();
      const auto name_bytes = load<std::uint16_t>(at + 28);
      const Bytes name = part(at + kEntryBytes, name_bytes);
      Entry entry{{reinterpret_cast<const char*>(name.data()), name.size()},
                  load<std::uint16_t>(at + 10),
                  load<std::uint32_t>(at + 20),
                  load<std::uint32_t>(at + 24),
                  load<std::uint32_t>(at + 42)};
      at += kEntryBytes + name_bytes + load<std::uint16_t>(at + 30) + load<std::uint16_t>(at + 32);
      if (!entry.name.ends_with(".npy")) continue;
      entry.name.resize(entry.name.size() - 4);
      entries.push_back(std::move(entry));
    }
    return entries;
  }

  std::vector<std::byte> content(const Entry& entry) const {
    if (load<std::uint32_t>(entry.at) != kLocal) damaged();
    const std::size_t at = entry.at + kLocalBytes + load<std::uint16_t>(entry.at + 26) +
                           load<std::uint16_t>(entry.at + 28);
    const Bytes packed = part(at, entry.packed);
    if (entry.method == kStored) return {packed.begin(), packed.end()};
    if (entry.method != kDeflated) {
      throw InputError(where_, "arrays as numpy.savez writes them", "another compression");
    }
    if (entry.size / kMostShrinking > entry.packed) damaged();
    return inflated(packed, entry.size);
  }

 private:
  [[noreturn]] void damaged() const {
    throw InputError(where_, "an archive of numpy.savez", "a damaged one");
  }
  Bytes part(std::size_t at, std::size_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) damaged();
    return bytes_.subspan(at, size);
  }
  template <class T>
  T load(std::size_t at) const {
    T value;
    std::memcpy(&value, part(at, sizeof value).data(), sizeof value);
    return value;
  }
  /// The end record is last, but for a comment.
  std::size_t find_end() const {
    for (std::size_t back = kEndBytes; back <= bytes_.size() && back <= kEndBytes + kMostComment;
         ++back) {
      if (load<std::uint32_t>(bytes_.size() - back) == kEnd) return bytes_.size() - back;
    }
    damaged();
  }
  std::vector<std::byte> inflated(Bytes packed, std::size_t size) const {
    std::vector<std::byte> result(size);
    z_stream stream{};
    // zlib does not write to its input, only its interface does not say so.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(result.data());
    stream.avail_out = static_cast<uInt>(result.size());
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) damaged();
    const int code = inflate(&stream, Z_FINISH);
    const bool whole = code == Z_STREAM_END && stream.avail_out == 0;
    inflateEnd(&stream);
    if (!whole) damaged();
    return result;
  }

  Bytes bytes_;
  const std::string& where_;
};

std::string names_text(const std::vector<Entry>& arrays) {
  constexpr std::size_t kShown = 8;
  std::string text;
  for (std::size_t k = 0; k < std::min(kShown, arrays.size()); ++k) {
    text += (text.empty() ? "" : ", ") + in_one_line(arrays[k].name);
  }
  return arrays.size() > kShown ? text + ", ..." : text;
}

}  // namespace

std::vector<std::byte> points_in_npz(Bytes bytes, const std::string& where) {
  const Archive archive(bytes, where);
  const std::vector<Entry> arrays = archive.arrays();
  if (arrays.size() == 1) return archive.content(arrays.front());
  for (const std::string_view name : kNames) {
    const auto found = std::find_if(arrays.begin(), arrays.end(),
                                    [&](const Entry& entry) { return entry.name == name; });
    if (found != arrays.end()) return archive.content(*found);
  }
  throw InputError(where, "one array, or one named points, xyz, pts, lidar, cloud or arr_0",
                   arrays.empty() ? "none" : names_text(arrays));
}

}  // namespace roadplane::kitti
