#include "roadplane/viz/image_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>

#include "image_header.hpp"
#include "jpeg_file.hpp"
#include "png_file.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/base/named_values.hpp"
#include "roadplane/base/recycled.hpp"

namespace roadplane::viz {
namespace {

constexpr std::uintmax_t kMaxFileBytes = 1'000'000'000;
constexpr const char* kExpected = "a PNG or JPEG picture";

RecycledVector<std::uint8_t> read_bytes(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) throw InputError(path.string(), kExpected, "a folder");
  if (!std::filesystem::exists(status)) throw InputError(path.string(), kExpected, "no such file");
  // A pipe or device could block or never end.
  if (!std::filesystem::is_regular_file(status)) {
    throw InputError(path.string(), kExpected, "something that is not a regular file");
  }
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) throw InputError(path.string(), kExpected, error.message());
  if (size > kMaxFileBytes) {
    throw InputError(path.string(), kExpected, "a file of " + std::to_string(size) + " bytes");
  }
  RecycledVector<std::uint8_t> bytes(size);
  std::ifstream file(path, std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size))) {
    throw InputError(path.string(), kExpected, "a file that cannot be read");
  }
  return bytes;
}

constexpr NamedValues<ImageFormat, 2> kFormats = {{
    {ImageFormat::png, "png"},
    {ImageFormat::jpeg, "jpeg"},
}};

void validate(const RgbImage& image) {
  if (image.width < 1 || image.height < 1 ||
      image.rgb.size() != std::size_t{3} * image.width * image.height) {
    throw std::invalid_argument("RgbImage: the picture is empty or not of its own size");
  }
}

RgbImage scaled(const RgbImage& image, double factor) {
  // OpenCV does not write through the const pointer; cv::Mat just has no const form.
  const cv::Mat from(image.height, image.width, CV_8UC3,
                     const_cast<std::uint8_t*>(image.rgb.data()));
  cv::Mat to;
  const auto side = [factor](int length) {  // of a very long picture, too, at least a pixel
    return std::max(1, static_cast<int>(std::lround(length * factor)));
  };
  cv::resize(from, to, {side(image.width), side(image.height)}, 0, 0, cv::INTER_AREA);
  return {to.cols, to.rows, {to.datastart, to.dataend}};
}

/// Bytes go with the pixels, about: so one step mostly does.
RgbImage shrunk(const RgbImage& image, std::size_t bytes, std::size_t most_bytes) {
  const double share = static_cast<double>(most_bytes) / static_cast<double>(bytes);
  return scaled(image, std::clamp(std::sqrt(share), 0.5, 0.9));
}

}  // namespace

std::string_view to_string(ImageFormat format) { return name_of(kFormats, format); }

ImageFormat image_format_from_string(std::string_view name) {
  return value_of(kFormats, name, "image_format");
}

std::string_view extension_of(ImageFormat format) {
  return format == ImageFormat::png ? ".png" : ".jpg";
}

RgbImage read_image(const std::filesystem::path& path) {
  const auto bytes = read_bytes(path);
  return decode_image(std::as_bytes(std::span(bytes)), path.string());
}

RgbImage decode_image(std::span<const std::byte> file, const std::string& where) {
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(file.data()), file.size());
  const ImageHeader header = inspect_image(bytes);
  if (!header.damage.empty()) throw InputError(where, kExpected, header.damage);
  if (header.width < 1 || header.height < 1 || header.width > kMaxImagePixels / header.height) {
    throw InputError(
        where, "a picture of 1 to " + std::to_string(kMaxImagePixels) + " pixels",
        "one of " + std::to_string(header.width) + " x " + std::to_string(header.height));
  }
  auto image = header.format == ImageFormat::png ? decode_png(bytes) : decode_jpeg(bytes);
  if (!image) throw InputError(where, kExpected, "a file that does not decode");
  return std::move(*image);
}

std::vector<std::uint8_t> encode_png(const RgbImage& image) {
  validate(image);
  return make_png(image);
}

std::vector<std::uint8_t> encode_jpeg(const RgbImage& image) {
  validate(image);
  // Points lie in rows, few pixels high, and would lose their colours to the rows between them.
  return make_jpeg(image, {.color_rows = true});
}

std::vector<std::uint8_t> encode_jpeg(const RgbImage& image, std::size_t most_bytes) {
  validate(image);
  RgbImage smaller;
  const RgbImage* shown = &image;
  while (true) {
    std::size_t bytes = 0;
    for (const int quality : {90, 75, 60}) {
      auto jpeg = make_jpeg(*shown, {.quality = quality, .own_codes = true});
      if (jpeg.size() <= most_bytes) return jpeg;
      bytes = jpeg.size();
    }
    if (std::min(shown->width, shown->height) < 8) break;
    smaller = shrunk(*shown, bytes, most_bytes);
    shown = &smaller;
  }
  throw std::invalid_argument("encode_jpeg: no picture has just " + std::to_string(most_bytes) +
                              " bytes");
}

std::vector<std::uint8_t> encode_thumbnail(const RgbImage& image, int width_px) {
  validate(image);
  const double factor = std::min(1.0, static_cast<double>(width_px) / image.width);
  return make_jpeg(scaled(image, factor), {.quality = 75, .own_codes = true});
}

void write_image(const std::filesystem::path& path, const RgbImage& image, ImageFormat format) {
  const auto bytes = format == ImageFormat::png ? encode_png(image) : encode_jpeg(image);
  write_file_atomically(path, std::as_bytes(std::span(bytes)));
}

void write_png(const std::filesystem::path& path, const RgbImage& image) {
  write_image(path, image, ImageFormat::png);
}

}  // namespace roadplane::viz
