#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace roadplane {

/// Pictures of one byte a pixel, all of the same size, as MNIST comes.
struct IdxImages {
  std::size_t count = 0;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::uint8_t> pixels;  ///< picture by picture, row by row

  std::size_t pixels_each() const { return rows * columns; }
  std::span<const std::uint8_t> image(std::size_t i) const {
    return std::span(pixels).subspan(i * pixels_each(), pixels_each());
  }
};

/// Reads an IDX file of pictures (magic 0x00000803), or its gzip. Throws InputError if it is
/// anything else, damaged, shorter or longer than its header says.
IdxImages read_idx_images(const std::filesystem::path& path);

}  // namespace roadplane
