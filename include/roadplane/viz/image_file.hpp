#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "roadplane/geometry/rgb_image.hpp"

namespace roadplane::viz {

inline constexpr std::int64_t kMaxImagePixels = 100'000'000;  ///< larger pictures are refused

enum class ImageFormat {
  png,   ///< every pixel as it was drawn
  jpeg,  ///< a quarter of the bytes, and nearly the same to the eye
};

std::string_view to_string(ImageFormat format);
/// Throws FieldError that lists the known names.
ImageFormat image_format_from_string(std::string_view name);
/// How the names of such files end: ".png" or ".jpg".
std::string_view extension_of(ImageFormat format);

/// A PNG or JPEG picture as 8-bit RGB, whatever its own depth and channels. A file that is missing,
/// a folder, of another format, damaged or larger than kMaxImagePixels is an InputError.
RgbImage read_image(const std::filesystem::path& path);

/// The same of a file's bytes; `where` begins the message.
RgbImage decode_image(std::span<const std::byte> bytes, const std::string& where);

/// The bytes of a PNG file.
std::vector<std::uint8_t> encode_png(const RgbImage& image);

/// The bytes of a JPEG file of at most `most_bytes`: as good as fits, and smaller in pixels where
/// even a poor quality does not. Throws std::invalid_argument if nothing fits.
std::vector<std::uint8_t> encode_jpeg(const RgbImage& image, std::size_t most_bytes);

/// The bytes of a JPEG file as a picture to be looked at has them.
std::vector<std::uint8_t> encode_jpeg(const RgbImage& image);

/// A small JPEG, `width_px` wide.
std::vector<std::uint8_t> encode_thumbnail(const RgbImage& image, int width_px);

/// Writes the file whole or not at all. Replaces an existing file.
void write_image(const std::filesystem::path& path, const RgbImage& image, ImageFormat format);
void write_png(const std::filesystem::path& path, const RgbImage& image);

}  // namespace roadplane::viz
