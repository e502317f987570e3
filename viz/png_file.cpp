#include "png_file.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <memory>
#include <new>
#include <string_view>

#include "big_endian.hpp"
#include "image_header.hpp"
#include "libpng.hpp"
#include "png_filter.hpp"
#include "roadplane/base/recycled.hpp"

namespace roadplane::viz {
namespace {

using Bytes = std::vector<std::uint8_t>;
using ByteSpan = std::span<const std::uint8_t>;

/// What the header says after the size: 8 bits, RGB, the usual compression and filters, and rows
/// from top to bottom.
constexpr std::array<std::uint8_t, 5> kPlain = {8, 2, 0, 0, 0};

/// Bytes on the way from a file to a picture or back, whose memory serves the next one. Those of
/// PassingBytes(n) are not cleared before they are filled.
using PassingBytes = RecycledVector<std::uint8_t>;

/// A chunk is: length, type, data, checksum of type and data.
class ChunkWriter {
 public:
  ChunkWriter(std::string_view type, Bytes& out) : out_(out), begin_(out.size()) {
    out_.resize(begin_ + 4);
    out_.insert(out_.end(), type.begin(), type.end());
  }
  ChunkWriter(const ChunkWriter&) = delete;
  ChunkWriter& operator=(const ChunkWriter&) = delete;

  /// To be called when the data have been appended.
  void finish() {
    const std::size_t type_and_data = out_.size() - begin_ - 4;
    put_big_endian_32(static_cast<std::uint32_t>(type_and_data - 4), out_.data() + begin_);
    const std::uint32_t sum = libdeflate_crc32(0, out_.data() + begin_ + 4, type_and_data);
    out_.resize(out_.size() + 4);
    put_big_endian_32(sum, out_.data() + out_.size() - 4);
  }

 private:
  Bytes& out_;
  std::size_t begin_;
};

PassingBytes filtered(const RgbImage& image) {
  const std::size_t row_bytes = std::size_t{3} * image.width;
  const Bytes nothing(row_bytes);
  PassingBytes rows((row_bytes + 1) * image.height);
  ByteSpan above = nothing;
  for (int y = 0; y < image.height; ++y) {
    const ByteSpan row(image.pixel(0, y), row_bytes);
    filter_row(row, above, {rows.data() + (row_bytes + 1) * y, row_bytes + 1});
    above = row;
  }
  return rows;
}

/// As cameras' pictures are.
bool is_plain(ByteSpan file) {
  return std::equal(kPlain.begin(), kPlain.end(), file.begin() + kPngSizeAt + 8);
}

/// The data of all IDAT chunks, which are one stream.
PassingBytes compressed(ByteSpan file) {
  constexpr std::uint32_t kData = 0x49444154;  // "IDAT"
  constexpr std::uint32_t kEnd = 0x49454E44;   // "IEND"
  PassingBytes stream;
  stream.reserve(file.size());
  for (std::size_t at = kPngMagic.size(); at + 12 <= file.size();) {
    const std::size_t length = big_endian_32(file.data() + at);
    const std::uint32_t type = big_endian_32(file.data() + at + 4);
    if (type == kEnd) break;
    const auto data = file.subspan(at + 8, length);
    if (type == kData) stream.insert(stream.end(), data.begin(), data.end());
    at += 12 + length;
  }
  return stream;
}

struct FreeCompressor {
  void operator()(libdeflate_compressor* c) const { libdeflate_free_compressor(c); }
};
struct FreeDecompressor {
  void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
};

/// Twice as fast as libpng, but for plain pictures only and with no word of what is wrong.
std::optional<RgbImage> decode_plain(ByteSpan file) {
  const std::uint8_t* const size = file.data() + kPngSizeAt;
  RgbImage image{
      static_cast<int>(big_endian_32(size)), static_cast<int>(big_endian_32(size + 4)), {}};
  const std::size_t row_bytes = std::size_t{3} * image.width;
  PassingBytes rows((row_bytes + 1) * image.height);
  const PassingBytes stream = compressed(file);
  const std::unique_ptr<libdeflate_decompressor, FreeDecompressor> decompressor(
      libdeflate_alloc_decompressor());
  if (!decompressor ||
      libdeflate_zlib_decompress(decompressor.get(), stream.data(), stream.size(), rows.data(),
                                 rows.size(), nullptr) != LIBDEFLATE_SUCCESS) {
    return std::nullopt;
  }
  image.rgb.resize(row_bytes * image.height);
  const Bytes nothing(row_bytes);
  ByteSpan above = nothing;
  for (int y = 0; y < image.height; ++y) {
    const std::span<std::uint8_t> row(image.rgb.data() + row_bytes * y, row_bytes);
    if (!unfilter_row({rows.data() + (row_bytes + 1) * y, row_bytes + 1}, above, row)) {
      return std::nullopt;
    }
    above = row;
  }
  return image;
}

/// A zlib stream of the bytes, at the fastest of libdeflate's levels.
void append_compressed(ByteSpan bytes, Bytes& out) {
  constexpr int kFastest = 1;
  // Its tables serve the thread's next picture.
  thread_local const std::unique_ptr<libdeflate_compressor, FreeCompressor> compressor(
      libdeflate_alloc_compressor(kFastest));
  if (!compressor) throw std::bad_alloc();
  const std::size_t begin = out.size();
  out.resize(begin + libdeflate_zlib_compress_bound(compressor.get(), bytes.size()));
  const std::size_t size = libdeflate_zlib_compress(compressor.get(), bytes.data(), bytes.size(),
                                                    out.data() + begin, out.size() - begin);
  out.resize(begin + size);
}

}  // namespace

Bytes make_png(const RgbImage& image) {
  Bytes png(kPngMagic.begin(), kPngMagic.end());
  ChunkWriter header("IHDR", png);
  png.resize(kPngSizeAt + 8);
  put_big_endian_32(static_cast<std::uint32_t>(image.width), png.data() + kPngSizeAt);
  put_big_endian_32(static_cast<std::uint32_t>(image.height), png.data() + kPngSizeAt + 4);
  std::copy(kPlain.begin(), kPlain.end(), std::back_inserter(png));
  header.finish();
  ChunkWriter data("IDAT", png);
  append_compressed(filtered(image), png);
  data.finish();
  ChunkWriter("IEND", png).finish();
  return png;
}

std::optional<RgbImage> decode_png(ByteSpan file) {
  if (is_plain(file)) {
    if (auto image = decode_plain(file)) return image;
  }
  return decode_with_libpng(file);
}

}  // namespace roadplane::viz
