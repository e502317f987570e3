#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <utility>

namespace roadplane {

/// A file's bytes as read-only memory. Nothing is copied: who cuts the file short meanwhile ends
/// the process.
class MappedFile {
 public:
  MappedFile() = default;
  /// Fetches all pages. Throws InputError for anything but a readable regular file.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();

  MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  /// Begins on a page boundary; empty for an empty file.
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace roadplane
