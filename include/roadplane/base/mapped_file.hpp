#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <utility>

namespace roadplane {

/// A file's bytes as read-only memory, loaded page by page when they are touched.
class MappedFile {
 public:
  enum class Access {
    all,   ///< every byte will be read: fetch the pages at once
    some,  ///< only a few parts will be: fetch each page when it is touched
  };

  MappedFile() = default;
  /// Throws InputError for anything but a readable regular file.
  explicit MappedFile(const std::filesystem::path& path, Access access = Access::all);
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
