#include "mat_check.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "roadplane/base/input_error.hpp"

namespace roadplane::kitti {
namespace {

using Bytes = std::span<const std::byte>;

// Names and numbers of "MAT-File Level 5 File Format" (MathWorks).
constexpr std::size_t kHeaderBytes = 128;  // text, then version and byte-order mark
constexpr std::size_t kVersionOffset = 124;
constexpr std::uint16_t kVersion5 = 0x0100;
constexpr std::size_t kTagBytes = 8;  // type and number of bytes
constexpr std::uint32_t kInt8 = 1;
constexpr std::uint32_t kInt32 = 5;
constexpr std::uint32_t kUint32 = 6;
constexpr std::uint32_t kMatrix = 14;
constexpr std::uint32_t kCompressed = 15;

constexpr std::uint32_t kMaxNameBytes = 63;       // MATLAB's own limit
constexpr std::uint32_t kMaxDimensionBytes = 64;  // 16 dimensions
constexpr std::size_t kPeekBytes = 512;           // holds everything before a matrix's values

template <class T>
T load(Bytes bytes, std::size_t offset) {
  T value{};
  if (offset + sizeof value <= bytes.size()) {
    std::memcpy(&value, bytes.data() + offset, sizeof value);
  }
  return value;
}

/// The first bytes of a compressed element.
Bytes inflated(Bytes compressed, std::array<std::byte, kPeekBytes>& buffer) {
  z_stream stream{};
  // zlib does not write to its input, only its interface does not say so.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(compressed.data()));
  stream.avail_in = static_cast<uInt>(compressed.size());
  stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
  stream.avail_out = static_cast<uInt>(buffer.size());
  if (inflateInit(&stream) != Z_OK) return {};
  inflate(&stream, Z_SYNC_FLUSH);
  inflateEnd(&stream);
  return Bytes(buffer).first(buffer.size() - stream.avail_out);
}

/// Checks what comes before a matrix's values: flags, dimensions, name. The MATLAB library believes
/// their sizes and would allocate gigabytes for a name.
void check_matrix(Bytes element, const std::string& where) {
  const std::string expected = "variables that are plain matrices";
  if (load<std::uint32_t>(element, 0) != kMatrix) {
    throw InputError(where, expected, "an element of another type, or a damaged one");
  }
  std::size_t at = kTagBytes;
  if (load<std::uint32_t>(element, at) != kUint32 || load<std::uint32_t>(element, at + 4) != 8) {
    throw InputError(where, expected, "damaged flags");
  }
  const auto type = load<std::uint8_t>(element, at + kTagBytes);
  constexpr std::uint8_t kChar = 4, kSparse = 5, kLastNumeric = 15;
  if (type < kChar || type == kSparse || type > kLastNumeric) {
    throw InputError(where, expected, "a cell, struct, object or sparse matrix");
  }
  at += kTagBytes + 8;
  const auto dimension_bytes = load<std::uint32_t>(element, at + 4);
  if (load<std::uint32_t>(element, at) != kInt32 || dimension_bytes < 8 ||
      dimension_bytes > kMaxDimensionBytes || dimension_bytes % 4 != 0) {
    throw InputError(where, expected, "damaged dimensions");
  }
  at += kTagBytes + (dimension_bytes + 7) / 8 * 8;
  // A name of up to four letters shares its tag: the size is in the upper half of the type.
  const auto tag = load<std::uint32_t>(element, at);
  const bool is_short = tag >> 16U != 0;
  const std::uint32_t name_bytes = is_short ? tag >> 16U : load<std::uint32_t>(element, at + 4);
  if ((tag & 0xFFFFU) != kInt8 || name_bytes > (is_short ? 4 : kMaxNameBytes)) {
    throw InputError(where, expected, "a damaged name");
  }
}

}  // namespace

void check_mat_file(Bytes bytes, const std::string& where) {
  const std::string expected = "a MATLAB v5 file";
  if (bytes.size() < kHeaderBytes) {
    throw InputError(where, expected, std::to_string(bytes.size()) + " bytes");
  }
  const bool little_endian = load<std::uint16_t>(bytes, kVersionOffset + 2) == 0x4D49;  // "IM"
  if (!little_endian || load<std::uint16_t>(bytes, kVersionOffset) != kVersion5) {
    throw InputError(where, expected, "another header");
  }
  for (Bytes rest = bytes.subspan(kHeaderBytes); !rest.empty();) {
    const std::size_t needed = kTagBytes + load<std::uint32_t>(rest, 4);
    if (needed > rest.size()) {
      throw InputError(where, "an element of " + std::to_string(needed) + " bytes",
                       "a file that ends after " + std::to_string(rest.size()));
    }
    const bool compressed = load<std::uint32_t>(rest, 0) == kCompressed;
    std::array<std::byte, kPeekBytes> buffer{};
    const Bytes element = rest.first(needed);
    check_matrix(compressed ? inflated(element.subspan(kTagBytes), buffer) : element, where);
    // Elements are padded to 8 bytes, save compressed ones.
    const std::size_t step = compressed ? needed : (needed + 7) / 8 * 8;
    rest = rest.subspan(std::min(step, rest.size()));
  }
}

}  // namespace roadplane::kitti
