#include "jpeg_file.hpp"

#include <cstdio>
// Needs what <cstdio> declares.
#include <jpeglib.h>

#include <algorithm>
#include <csetjmp>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>

#include "roadplane/viz/image_file.hpp"

namespace roadplane::viz {
namespace {

/// libjpeg's messages are not printed; an error jumps back to where `back` was set, past no object
/// that would have to be destroyed.
struct Errors {
  jpeg_error_mgr manager{};
  std::jmp_buf back{};

  Errors() {
    jpeg_std_error(&manager);
    manager.error_exit = [](j_common_ptr job) {
      std::longjmp(reinterpret_cast<Errors*>(job->err)->back, 1);
    };
    manager.output_message = [](j_common_ptr) {};
  }
};

/// Each pixel's four bytes, of which the last says how much black there is not, in place to three.
void cmyk_to_rgb(std::uint8_t* row, int width) {
  for (int x = 0; x < width; ++x) {
    const std::uint8_t* from = row + std::ptrdiff_t{4} * x;
    const int light = from[3];
    for (int c = 0; c < 3; ++c) {
      row[std::ptrdiff_t{3} * x + c] =
          static_cast<std::uint8_t>(light - ((255 - from[c]) * light >> 8));
    }
  }
}

struct Decoding {
  jpeg_decompress_struct job{};
  Errors errors;
  RgbImage image;
  std::vector<std::uint8_t> row;

  Decoding() {
    job.err = &errors.manager;
    jpeg_create_decompress(&job);
  }
  Decoding(const Decoding&) = delete;
  Decoding& operator=(const Decoding&) = delete;
  ~Decoding() { jpeg_destroy_decompress(&job); }

  void prepare() {
    image.width = static_cast<int>(job.output_width);
    image.height = static_cast<int>(job.output_height);
    image.rgb.resize(std::size_t{3} * image.width * image.height);
    row.resize(std::size_t{4} * image.width);
  }

  bool run(std::span<const std::uint8_t> file) {
    if (setjmp(errors.back) != 0) return false;
    jpeg_mem_src(&job, file.data(), file.size());
    jpeg_read_header(&job, TRUE);
    if (std::int64_t{job.image_width} * job.image_height > kMaxImagePixels) return false;
    const bool is_cmyk = job.num_components == 4;
    job.out_color_space = is_cmyk ? JCS_CMYK : JCS_RGB;
    jpeg_start_decompress(&job);
    prepare();
    while (job.output_scanline < job.output_height) {
      std::uint8_t* out = image.rgb.data() + std::size_t{3} * image.width * job.output_scanline;
      std::uint8_t* to = is_cmyk ? row.data() : out;
      jpeg_read_scanlines(&job, &to, 1);
      if (!is_cmyk) continue;
      cmyk_to_rgb(to, image.width);
      std::copy_n(to, std::size_t{3} * image.width, out);
    }
    jpeg_finish_decompress(&job);
    return true;
  }
};

struct Encoding {
  jpeg_compress_struct job{};
  Errors errors;
  unsigned char* bytes = nullptr;
  unsigned long size = 0;

  Encoding() {
    job.err = &errors.manager;
    jpeg_create_compress(&job);
  }
  Encoding(const Encoding&) = delete;
  Encoding& operator=(const Encoding&) = delete;
  ~Encoding() {
    jpeg_destroy_compress(&job);
    std::free(bytes);
  }

  bool run(const RgbImage& image, const JpegOptions& options) {
    if (setjmp(errors.back) != 0) {
      bytes = nullptr;  // may be freed already, if the buffer has grown
      return false;
    }
    jpeg_mem_dest(&job, &bytes, &size);
    job.image_width = static_cast<JDIMENSION>(image.width);
    job.image_height = static_cast<JDIMENSION>(image.height);
    job.input_components = 3;
    job.in_color_space = JCS_RGB;
    jpeg_set_defaults(&job);
    jpeg_set_quality(&job, options.quality, TRUE);
    job.optimize_coding = options.own_codes ? TRUE : FALSE;
    if (options.color_rows) job.comp_info[0].v_samp_factor = 1;
    jpeg_start_compress(&job, TRUE);
    while (job.next_scanline < job.image_height) {
      // libjpeg does not write through the pointer; it just has no const form.
      auto* row = const_cast<std::uint8_t*>(image.pixel(0, static_cast<int>(job.next_scanline)));
      jpeg_write_scanlines(&job, &row, 1);
    }
    jpeg_finish_compress(&job);
    return true;
  }
};

}  // namespace

std::vector<std::uint8_t> make_jpeg(const RgbImage& image, const JpegOptions& options) {
  if (std::max(image.width, image.height) > JPEG_MAX_DIMENSION) {
    throw std::invalid_argument("a picture that JPEG cannot hold: more than 65500 pixels a side");
  }
  Encoding encoding;
  if (!encoding.run(image, options)) throw std::invalid_argument("a picture that libjpeg refuses");
  return {encoding.bytes, encoding.bytes + encoding.size};
}

std::optional<RgbImage> decode_jpeg(std::span<const std::uint8_t> file) {
  Decoding decoding;
  if (!decoding.run(file)) return std::nullopt;
  return std::move(decoding.image);
}

}  // namespace roadplane::viz
