// Camera pictures of other kinds than KITTI's, made byte by byte.
#include <gtest/gtest.h>

#include <cstdio>
// Needs what <cstdio> declares.
#include <jpeglib.h>
#include <libdeflate.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "big_endian.hpp"
#include "jpeg_file.hpp"
#include "libpng.hpp"
#include "png_file.hpp"
#include "roadplane/viz/image_file.hpp"
#include "viz/scene.hpp"

namespace roadplane::viz {
namespace {

using Bytes = std::vector<std::uint8_t>;

void add_chunk(const std::string& type, const Bytes& data, Bytes& png) {
  Bytes chunk(type.begin(), type.end());
  chunk.insert(chunk.end(), data.begin(), data.end());
  Bytes number(4);
  put_big_endian_32(static_cast<std::uint32_t>(data.size()), number.data());
  png.insert(png.end(), number.begin(), number.end());
  png.insert(png.end(), chunk.begin(), chunk.end());
  put_big_endian_32(libdeflate_crc32(0, chunk.data(), chunk.size()), number.data());
  png.insert(png.end(), number.begin(), number.end());
}

Bytes zlib_stream(const Bytes& bytes) {
  const std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> library(
      libdeflate_alloc_compressor(6), libdeflate_free_compressor);
  Bytes stream(libdeflate_zlib_compress_bound(library.get(), bytes.size()));
  stream.resize(libdeflate_zlib_compress(library.get(), bytes.data(), bytes.size(), stream.data(),
                                         stream.size()));
  return stream;
}

struct Kind {
  std::uint8_t bits = 8;
  std::uint8_t colors = 2;  ///< 0 gray, 2 RGB, 3 palette, 4 gray and alpha, 6 RGB and alpha
  std::uint8_t woven = 0;   ///< 1: in seven passes
  Bytes palette = {};
  std::size_t chunk_bytes = 1 << 20;  ///< of IDAT
};

/// A file with these filtered rows.
Bytes png_file(int width, int height, const Kind& kind, const Bytes& rows) {
  Bytes png{0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  Bytes header(8);
  put_big_endian_32(static_cast<std::uint32_t>(width), header.data());
  put_big_endian_32(static_cast<std::uint32_t>(height), header.data() + 4);
  for (const std::uint8_t byte :
       {kind.bits, kind.colors, std::uint8_t{0}, std::uint8_t{0}, kind.woven}) {
    header.push_back(byte);
  }
  add_chunk("IHDR", header, png);
  add_chunk("tEXt", {'a', 0, 'b'}, png);
  if (!kind.palette.empty()) add_chunk("PLTE", kind.palette, png);
  const Bytes stream = zlib_stream(rows);
  for (std::size_t at = 0; at < stream.size(); at += kind.chunk_bytes) {
    const std::size_t end = std::min(stream.size(), at + kind.chunk_bytes);
    add_chunk("IDAT",
              {stream.begin() + static_cast<long>(at), stream.begin() + static_cast<long>(end)},
              png);
  }
  add_chunk("IEND", {}, png);
  return png;
}

/// The pixels of a file of two pixels in a row, which is whole.
Bytes two_pixels(const Kind& kind, const Bytes& row) {
  const auto image = decode_png(png_file(2, 1, kind, row));
  if (!image || image->width != 2 || image->height != 1) return {};
  return image->rgb;
}

TEST(ImageKinds, PngOfEveryDepthAndColour) {
  EXPECT_EQ(two_pixels({8, 2}, {0, 1, 2, 3, 4, 5, 6}), (Bytes{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(two_pixels({16, 2}, {0, 1, 99, 2, 99, 3, 99, 4, 99, 5, 99, 6, 99}),
            (Bytes{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(two_pixels({8, 6}, {0, 1, 2, 3, 0, 4, 5, 6, 128}), (Bytes{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(two_pixels({16, 6}, {0, 1, 9, 2, 9, 3, 9, 0, 0, 4, 9, 5, 9, 6, 9, 0, 0}),
            (Bytes{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(two_pixels({1, 0}, {0, 0x40}), (Bytes{0, 0, 0, 255, 255, 255}));
  EXPECT_EQ(two_pixels({2, 0}, {0, 0x60}), (Bytes{85, 85, 85, 170, 170, 170}));
  EXPECT_EQ(two_pixels({4, 0}, {0, 0x1F}), (Bytes{17, 17, 17, 255, 255, 255}));
  EXPECT_EQ(two_pixels({8, 0}, {0, 7, 200}), (Bytes{7, 7, 7, 200, 200, 200}));
  EXPECT_EQ(two_pixels({16, 0}, {0, 7, 99, 200, 99}), (Bytes{7, 7, 7, 200, 200, 200}));
  EXPECT_EQ(two_pixels({8, 4}, {0, 7, 0, 200, 255}), (Bytes{7, 7, 7, 200, 200, 200}));
  EXPECT_EQ(two_pixels({16, 4}, {0, 7, 9, 0, 0, 200, 9, 255, 255}),
            (Bytes{7, 7, 7, 200, 200, 200}));
  const Bytes palette{10, 20, 30, 40, 50, 60, 70, 80, 90};
  EXPECT_EQ(two_pixels({1, 3, 0, palette}, {0, 0x40}), (Bytes{10, 20, 30, 40, 50, 60}));
  EXPECT_EQ(two_pixels({2, 3, 0, palette}, {0, 0x60}), (Bytes{40, 50, 60, 70, 80, 90}));
  EXPECT_EQ(two_pixels({4, 3, 0, palette}, {0, 0x20}), (Bytes{70, 80, 90, 10, 20, 30}));
  EXPECT_EQ(two_pixels({8, 3, 0, palette}, {0, 2, 1}), (Bytes{70, 80, 90, 40, 50, 60}));
}

TEST(ImageKinds, WovenPng) {
  // Of 2 x 2 pixels the first pass has the first, the sixth the one beside it, the last the rest.
  const Bytes rows{0, 1, 1, 1, 0, 2, 2, 2, 0, 3, 3, 3, 4, 4, 4};
  const auto image = decode_png(png_file(2, 2, {8, 2, 1}, rows));
  ASSERT_TRUE(image);
  EXPECT_EQ(image->rgb, (Bytes{1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4}));
}

TEST(ImageKinds, NonsenseIsNoPng) {
  EXPECT_FALSE(decode_png(png_file(2, 1, {8, 2}, {5, 1, 2, 3, 4, 5, 6}))) << "no such filter";
  EXPECT_FALSE(decode_png(png_file(2, 1, {8, 2}, {0, 1, 2, 3, 4, 5}))) << "a byte too few";
  EXPECT_FALSE(decode_png(png_file(2, 1, {3, 2}, {0, 1, 2, 3, 4, 5, 6}))) << "no such depth";
  EXPECT_FALSE(decode_png(png_file(2, 1, {8, 3}, {0, 1, 1}))) << "no palette";
  EXPECT_TRUE(decode_png(png_file(2, 1, {8, 2}, {0, 1, 2, 3, 4, 5, 6, 7}))) << "a byte more";
  Bytes longer = png_file(2, 1, {8, 2}, {0, 1, 2, 3, 4, 5, 6});
  longer.insert(longer.end(), 40, 0xFF);
  EXPECT_TRUE(decode_png(longer)) << "something after the end";
}

/// Every filter's rows, from the words of the PNG specification.
TEST(ImageKinds, PlainPngByEveryFilterIsWhatLibpngReads) {
  for (const int width : {1, 2, 3, 7, 50}) {
    Bytes rows;
    std::uint32_t value = 1;
    for (int y = 0; y < 20; ++y) {
      rows.push_back(static_cast<std::uint8_t>(y % 5));
      for (int i = 0; i < 3 * width; ++i) {
        value = value * 1'664'525 + 1'013'904'223;
        rows.push_back(static_cast<std::uint8_t>(value >> 24));
      }
    }
    const Bytes file = png_file(width, 20, {.chunk_bytes = 100}, rows);
    const auto ours = decode_png(file);
    const auto theirs = decode_with_libpng(file);
    ASSERT_TRUE(ours && theirs) << width;
    EXPECT_EQ(ours->rgb, theirs->rgb) << width;
  }
}

TEST(ImageKinds, LibpngReadsWhatIsWritten) {
  RgbImage image = plain_photo(301, 33);
  for (std::size_t i = 0; i < image.rgb.size(); ++i) {
    image.rgb[i] = static_cast<std::uint8_t>(i * i / 77);
  }
  const auto read = decode_with_libpng(make_png(image));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->rgb, image.rgb);
}

/// A JPEG of 16 x 8 equal pixels of `values`, one a channel.
Bytes flat_jpeg(J_COLOR_SPACE colors, const Bytes& values) {
  jpeg_error_mgr errors;
  jpeg_compress_struct job;
  job.err = jpeg_std_error(&errors);
  jpeg_create_compress(&job);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&job, &bytes, &size);
  job.image_width = 16;
  job.image_height = 8;
  job.input_components = static_cast<int>(values.size());
  job.in_color_space = colors;
  jpeg_set_defaults(&job);
  jpeg_set_quality(&job, 100, TRUE);
  jpeg_start_compress(&job, TRUE);
  Bytes row;
  for (int x = 0; x < 16; ++x) row.insert(row.end(), values.begin(), values.end());
  for (int y = 0; y < 8; ++y) {
    JSAMPROW rows = row.data();
    jpeg_write_scanlines(&job, &rows, 1);
  }
  jpeg_finish_compress(&job);
  jpeg_destroy_compress(&job);
  Bytes file(bytes, bytes + size);
  std::free(bytes);
  return file;
}

TEST(ImageKinds, JpegGrayAndCmyk) {
  const auto gray = decode_jpeg(flat_jpeg(JCS_GRAYSCALE, {90}));
  ASSERT_TRUE(gray);
  EXPECT_EQ(pixel(*gray, 3, 3), (Color{90, 90, 90}));
  // As Photoshop has it: 255 is no ink.
  const auto cmyk = decode_jpeg(flat_jpeg(JCS_CMYK, {255, 128, 0, 255}));
  ASSERT_TRUE(cmyk);
  ASSERT_EQ(cmyk->width, 16);
  for (int x = 0; x < 16; ++x) {
    const Color color = pixel(*cmyk, x, 5);
    EXPECT_NEAR(color.r, 255, 2);
    EXPECT_NEAR(color.g, 128, 2);
    EXPECT_NEAR(color.b, 0, 2);
  }
}

TEST(ImageKinds, SmallPointsKeepTheirColoursInJpeg) {
  RgbImage image = plain_photo(64, 64, 90);
  for (int y = 0; y < 64; y += 4) {
    for (int x = 0; x < 64; ++x) {
      std::uint8_t* rgb = image.rgb.data() + 3 * (64 * y + x);
      rgb[0] = 20, rgb[1] = 60, rgb[2] = 240;
    }
  }
  const auto blue_of = [](const Color& c) { return c.b - c.r; };
  const auto fine = decode_jpeg(encode_jpeg(image));
  const auto coarse = decode_jpeg(make_jpeg(image, {}));
  ASSERT_TRUE(fine && coarse);
  EXPECT_GT(blue_of(pixel(*fine, 30, 32)), 200);
  EXPECT_LT(blue_of(pixel(*fine, 30, 34)), 15);
  EXPECT_LT(blue_of(pixel(*coarse, 30, 32)), 150) << "else this test shows nothing";
}

TEST(ImageKinds, APictureTooLongForJpegIsRefused) {
  EXPECT_THROW(encode_jpeg(plain_photo(70'000, 1)), std::invalid_argument);
}

}  // namespace
}  // namespace roadplane::viz
