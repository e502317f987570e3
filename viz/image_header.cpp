#include "image_header.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "big_endian.hpp"

namespace roadplane::viz {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::array<std::uint8_t, 3> kJpegMagic = {0xFF, 0xD8, 0xFF};

template <std::size_t N>
bool starts_with(Bytes file, const std::array<std::uint8_t, N>& magic) {
  return file.size() >= N && std::equal(magic.begin(), magic.end(), file.begin());
}

/// Chunks are: length, type, data, checksum of type and data.
ImageHeader inspect_png(Bytes file) {
  constexpr std::uint32_t kHeader = 0x49484452;  // "IHDR"
  constexpr std::uint32_t kEnd = 0x49454E44;     // "IEND"
  ImageHeader header;
  for (std::size_t at = kPngMagic.size(); at + 12 <= file.size();) {
    const std::size_t length = big_endian_32(file.data() + at);
    const std::uint32_t type = big_endian_32(file.data() + at + 4);
    if (length > file.size() - at - 12) break;
    const auto checksum = libdeflate_crc32(0, file.data() + at + 4, length + 4);
    if (checksum != big_endian_32(file.data() + at + 8 + length)) {
      header.damage = "a PNG file with a wrong checksum at byte " + std::to_string(at);
      return header;
    }
    if (at == kPngMagic.size()) {
      if (type != kHeader || length != 13) break;
      header.width = big_endian_32(file.data() + at + 8);
      header.height = big_endian_32(file.data() + at + 12);
    }
    if (type == kEnd) return header;
    at += 12 + length;
  }
  header.damage = "a PNG file that breaks off after " + std::to_string(file.size()) + " bytes";
  return header;
}

/// Whether the marker opens a frame header, which holds the picture's size.
bool is_start_of_frame(int marker) {
  return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

/// Segments are: 0xFF, marker, length (with its own two bytes), data.
ImageHeader inspect_jpeg(Bytes file) {
  ImageHeader header;
  header.format = ImageFormat::jpeg;
  for (std::size_t at = 2; at + 9 <= file.size() && file[at] == 0xFF;) {
    const int marker = file[at + 1];
    if (marker == 0xFF) {  // fill byte
      ++at;
      continue;
    }
    if (is_start_of_frame(marker)) {
      header.height = big_endian_16(file.data() + at + 5);
      header.width = big_endian_16(file.data() + at + 7);
      break;
    }
    at += 2 + static_cast<std::size_t>(big_endian_16(file.data() + at + 2));
  }
  constexpr std::array<std::uint8_t, 2> kEnd = {0xFF, 0xD9};
  const bool ends = std::find_end(file.begin(), file.end(), kEnd.begin(), kEnd.end()) != file.end();
  if (header.width == 0 || !ends) {
    header.damage = "a JPEG file that breaks off after " + std::to_string(file.size()) + " bytes";
  }
  return header;
}

}  // namespace

ImageHeader inspect_image(Bytes file) {
  if (starts_with(file, kPngMagic)) return inspect_png(file);
  if (starts_with(file, kJpegMagic)) return inspect_jpeg(file);
  return {.damage = file.empty() ? "an empty file" : "a file that is neither PNG nor JPEG"};
}

}  // namespace roadplane::viz
