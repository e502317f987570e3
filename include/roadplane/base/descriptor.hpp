#pragma once

#include <cstddef>
#include <filesystem>
#include <utility>

namespace roadplane {

/// An open file of the operating system, closed at the end of the scope.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

  int number() const { return number_; }

 private:
  int number_;
};

/// Opens a regular file for reading. Throws InputError for a missing or unreadable file, a
/// directory, a pipe (which would block) or a device (which may never end).
Descriptor open_for_reading(const std::filesystem::path& path);

/// [bytes] of an open file.
std::size_t size_of(const Descriptor& file);

}  // namespace roadplane
