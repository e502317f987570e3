#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace roadplane {

class Descriptor;

/// A file of which parts are copied into memory of the caller's. Nothing is mapped: the process
/// holds what it asked for and no more, and a file that shrinks meanwhile is an error, not a crash.
class FileReader {
 public:
  /// Throws InputError for anything but a readable regular file.
  explicit FileReader(const std::filesystem::path& path);
  ~FileReader();

  std::size_t size() const { return size_; }  ///< [bytes] when it was opened
  /// Throws InputError if there are not that many bytes from `offset` on.
  void read(std::size_t offset, std::span<std::byte> into) const;

 private:
  std::filesystem::path path_;
  std::unique_ptr<Descriptor> file_;
  std::size_t size_;
};

}  // namespace roadplane
