#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "fuzz.hpp"
#include "roadplane/base/file.hpp"

namespace roadplane {

/// Bytes as a file that has a name and is nowhere on a disk.
class FileInMemory {
 public:
  explicit FileInMemory(std::span<const std::byte> content) : number_(::memfd_create("fuzz", 0)) {
    require(number_ >= 0);
    require(::write(number_, content.data(), content.size()) ==
            static_cast<ssize_t>(content.size()));
  }
  ~FileInMemory() { ::close(number_); }
  FileInMemory(const FileInMemory&) = delete;
  FileInMemory& operator=(const FileInMemory&) = delete;
  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(number_); }

 private:
  int number_;
};

/// The process's own folder for readers that look for files by name, in memory where there is a
/// file system for it; it goes with the process.
class Folder {
 public:
  static const std::filesystem::path& path() {
    static const Folder folder;
    return folder.path_;
  }

 private:
  Folder() {
    std::error_code error;
    const bool memory = std::filesystem::is_directory("/dev/shm", error);
    std::string name = memory ? "/dev/shm/roadplane_fuzz_XXXXXX" : "/tmp/roadplane_fuzz_XXXXXX";
    require(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path path_;
};

/// A file of that folder with this content.
inline std::filesystem::path file_of_folder(const std::string& name,
                                            std::span<const std::byte> content) {
  std::filesystem::path path = Folder::path() / name;
  write_file_atomically(path, content, Flush::later);
  return path;
}

}  // namespace roadplane
