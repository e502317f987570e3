#include "libpng.hpp"

#include <png.h>

#include <csetjmp>
#include <cstddef>
#include <cstring>
#include <vector>

namespace roadplane::viz {
namespace {

struct Reading {
  std::span<const std::uint8_t> rest;  ///< of the file
  RgbImage image;
  std::vector<png_bytep> rows;
};

void read_bytes(png_structp png, png_bytep to, std::size_t count) {
  Reading& reading = *static_cast<Reading*>(png_get_io_ptr(png));
  if (count > reading.rest.size()) png_error(png, "the file breaks off");
  std::memcpy(to, reading.rest.data(), count);
  reading.rest = reading.rest.subspan(count);
}

[[noreturn]] void give_up(png_structp png, png_const_charp) { png_longjmp(png, 1); }
void ignore(png_structp, png_const_charp) {}

void ask_for_rgb(png_structp png, png_infop info) {
  const int colors = png_get_color_type(png, info);
  png_set_strip_16(png);
  png_set_strip_alpha(png);
  if (colors == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
  if ((colors & PNG_COLOR_MASK_COLOR) == 0) {
    png_set_expand_gray_1_2_4_to_8(png);
    png_set_gray_to_rgb(png);
  }
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
}

void prepare(png_structp png, png_infop info, Reading& reading) {
  RgbImage& image = reading.image;
  image.width = static_cast<int>(png_get_image_width(png, info));
  image.height = static_cast<int>(png_get_image_height(png, info));
  const std::size_t row_bytes = std::size_t{3} * image.width;
  image.rgb.resize(row_bytes * image.height);
  for (int y = 0; y < image.height; ++y) reading.rows.push_back(image.rgb.data() + row_bytes * y);
}

/// libpng jumps back here when it fails, past no object that would have to be destroyed.
bool read(png_structp png, png_infop info, Reading& reading) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_read_fn(png, &reading, read_bytes);
  png_read_info(png, info);
  ask_for_rgb(png, info);
  if (png_get_rowbytes(png, info) != std::size_t{3} * png_get_image_width(png, info)) return false;
  prepare(png, info, reading);
  png_read_image(png, reading.rows.data());
  png_read_end(png, nullptr);
  return true;
}

}  // namespace

std::optional<RgbImage> decode_with_libpng(std::span<const std::uint8_t> file) {
  Reading reading{file, {}, {}};
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, give_up, ignore);
  png_infop info = png != nullptr ? png_create_info_struct(png) : nullptr;
  const bool good = info != nullptr && read(png, info, reading);
  png_destroy_read_struct(&png, &info, nullptr);
  if (!good) return std::nullopt;
  return std::move(reading.image);
}

}  // namespace roadplane::viz
