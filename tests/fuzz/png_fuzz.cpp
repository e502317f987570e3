#include <libdeflate.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "big_endian.hpp"
#include "fuzz.hpp"
#include "image_header.hpp"
#include "libpng.hpp"
#include "png_file.hpp"

namespace roadplane::viz {
namespace {

using Bytes = std::vector<std::uint8_t>;

void add_chunk(const std::string& type, std::span<const std::uint8_t> data, Bytes& png) {
  const std::size_t begin = png.size();
  png.resize(begin + 4);
  put_big_endian_32(static_cast<std::uint32_t>(data.size()), png.data() + begin);
  png.insert(png.end(), type.begin(), type.end());
  png.insert(png.end(), data.begin(), data.end());
  const std::uint32_t sum = libdeflate_crc32(0, png.data() + begin + 4, data.size() + 4);
  png.resize(png.size() + 4);
  put_big_endian_32(sum, png.data() + png.size() - 4);
}

/// A file whose checksums are right, of a size and kind that the first five bytes say.
Bytes png_file(std::span<const std::uint8_t> kind, std::span<const std::uint8_t> stream) {
  constexpr std::array<std::uint8_t, 5> kBits = {8, 16, 4, 2, 1};
  constexpr std::array<std::uint8_t, 5> kColors = {2, 0, 3, 4, 6};
  Bytes png(kPngMagic.begin(), kPngMagic.end());
  Bytes header(13);
  put_big_endian_32(1 + kind[0] % 40, header.data());
  put_big_endian_32(1 + kind[1] % 40, header.data() + 4);
  header[8] = kBits[kind[2] % kBits.size()];
  header[9] = kColors[kind[3] % kColors.size()];
  header[12] = kind[4] % 2;
  add_chunk("IHDR", header, png);
  if (header[9] == 3) add_chunk("PLTE", Bytes(6, 50), png);
  add_chunk("IDAT", stream.first(stream.size() / 2), png);
  add_chunk("IDAT", stream.subspan(stream.size() / 2), png);
  add_chunk("IEND", {}, png);
  return png;
}

/// Reads a whole file as read_image() does; what is plain must be as libpng reads it.
void read(const Bytes& png) {
  require(inspect_image(png).damage.empty());
  const auto ours = decode_png(png);
  const auto theirs = decode_with_libpng(png);
  if (ours && theirs) require(ours->rgb == theirs->rgb);
  require(ours.has_value() || !theirs.has_value());
}

Bytes packed(std::span<const std::uint8_t> bytes) {
  const std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> library(
      libdeflate_alloc_compressor(1), libdeflate_free_compressor);
  Bytes stream(libdeflate_zlib_compress_bound(library.get(), bytes.size()));
  stream.resize(libdeflate_zlib_compress(library.get(), bytes.data(), bytes.size(), stream.data(),
                                         stream.size()));
  return stream;
}

}  // namespace
}  // namespace roadplane::viz

// Any compressed rows, and any rows: a picture or none, and what libpng makes of them.
void roadplane::fuzz(std::span<const std::byte> content) {
  constexpr std::size_t kKind = 5;
  if (content.size() <= kKind) return;
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(content.data()), content.size());
  const auto kind = bytes.first(kKind);
  const auto rest = bytes.subspan(kKind);
  viz::read(viz::png_file(kind, rest));
  viz::read(viz::png_file(kind, viz::packed(rest)));
}
