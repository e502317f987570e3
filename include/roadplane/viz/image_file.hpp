#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "roadplane/geometry/rgb_image.hpp"

namespace roadplane::viz {

inline constexpr std::int64_t kMaxImagePixels = 100'000'000;  ///< larger pictures are refused

/// A PNG or JPEG picture as 8-bit RGB, whatever its own depth and channels. A file that is missing,
/// a folder, of another format, damaged or larger than kMaxImagePixels is an InputError.
RgbImage read_image(const std::filesystem::path& path);

/// The bytes of a PNG file.
std::vector<std::uint8_t> encode_png(const RgbImage& image);

/// The bytes of a JPEG file of at most `most_bytes`: as good as fits, and smaller in pixels where
/// even a poor quality does not. Throws std::invalid_argument if nothing fits.
std::vector<std::uint8_t> encode_jpeg(const RgbImage& image, std::size_t most_bytes);

/// Writes the file whole or not at all. Replaces an existing file.
void write_png(const std::filesystem::path& path, const RgbImage& image);

}  // namespace roadplane::viz
