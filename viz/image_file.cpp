#include "roadplane/viz/image_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>

#include "image_header.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"

namespace roadplane::viz {
namespace {

constexpr std::uintmax_t kMaxFileBytes = 1'000'000'000;
constexpr const char* kExpected = "a PNG or JPEG picture";

std::vector<std::uint8_t> read_bytes(const std::filesystem::path& path) {
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
  std::vector<std::uint8_t> bytes(size);
  std::ifstream file(path, std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size))) {
    throw InputError(path.string(), kExpected, "a file that cannot be read");
  }
  return bytes;
}

/// Empty if the decoder gives up.
cv::Mat decode(const std::vector<std::uint8_t>& bytes) {
  try {
    // Calibration refers to the pixels as stored, so a rotation asked for by EXIF is not applied.
    return cv::imdecode(bytes, cv::IMREAD_COLOR | cv::IMREAD_IGNORE_ORIENTATION);
  } catch (const cv::Exception&) {
    return {};
  }
}

cv::Mat bgr_of(const RgbImage& image) {
  if (image.width < 1 || image.height < 1 ||
      image.rgb.size() != std::size_t{3} * image.width * image.height) {
    throw std::invalid_argument("RgbImage: the picture is empty or not of its own size");
  }
  // OpenCV does not write through the const pointer; cv::Mat just has no const form.
  const cv::Mat rgb(image.height, image.width, CV_8UC3,
                    const_cast<std::uint8_t*>(image.rgb.data()));
  cv::Mat bgr;
  cv::cvtColor(rgb, bgr, cv::COLOR_RGB2BGR);
  return bgr;
}

}  // namespace

RgbImage read_image(const std::filesystem::path& path) {
  const auto bytes = read_bytes(path);
  const ImageHeader header = inspect_image(bytes);
  if (!header.damage.empty()) throw InputError(path.string(), kExpected, header.damage);
  if (header.width < 1 || header.height < 1 || header.width > kMaxImagePixels / header.height) {
    throw InputError(
        path.string(), "a picture of 1 to " + std::to_string(kMaxImagePixels) + " pixels",
        "one of " + std::to_string(header.width) + " x " + std::to_string(header.height));
  }
  const cv::Mat bgr = decode(bytes);
  if (bgr.empty()) throw InputError(path.string(), kExpected, "a file that does not decode");

  RgbImage image{bgr.cols, bgr.rows, {}};
  image.rgb.resize(bgr.total() * 3);
  cv::Mat rgb(bgr.rows, bgr.cols, CV_8UC3, image.rgb.data());
  cv::cvtColor(bgr, rgb, cv::COLOR_BGR2RGB);
  return image;
}

std::vector<std::uint8_t> encode_png(const RgbImage& image) {
  const cv::Mat bgr = bgr_of(image);
  // Measured on an overlay of 1242 x 375: 18 ms and 1.04 MB. Naming a compression level, even the
  // fastest, makes OpenCV try all row filters instead of one: 30 ms for 1 % less; without
  // run-length coding 46 ms.
  std::vector<std::uint8_t> png;
  cv::imencode(".png", bgr, png, {cv::IMWRITE_PNG_STRATEGY, cv::IMWRITE_PNG_STRATEGY_RLE});
  return png;
}

std::vector<std::uint8_t> encode_jpeg(const RgbImage& image, std::size_t most_bytes) {
  cv::Mat bgr = bgr_of(image);
  std::vector<std::uint8_t> jpeg;
  while (true) {
    for (const int quality : {90, 75, 60}) {
      cv::imencode(".jpg", bgr, jpeg,
                   {cv::IMWRITE_JPEG_QUALITY, quality, cv::IMWRITE_JPEG_OPTIMIZE, 1});
      if (jpeg.size() <= most_bytes) return jpeg;
    }
    if (std::min(bgr.cols, bgr.rows) < 8) break;
    // Bytes go with the pixels, about: so one step mostly does.
    const double share = static_cast<double>(most_bytes) / static_cast<double>(jpeg.size());
    const double factor = std::clamp(std::sqrt(share), 0.5, 0.9);
    cv::resize(cv::Mat(bgr), bgr, {}, factor, factor, cv::INTER_AREA);
  }
  throw std::invalid_argument("encode_jpeg: no picture has just " + std::to_string(most_bytes) +
                              " bytes");
}

void write_png(const std::filesystem::path& path, const RgbImage& image) {
  const auto png = encode_png(image);
  write_file_atomically(path, std::as_bytes(std::span(png)));
}

}  // namespace roadplane::viz
