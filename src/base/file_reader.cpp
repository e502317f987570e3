#include "roadplane/base/file_reader.hpp"

#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "roadplane/base/descriptor.hpp"
#include "roadplane/base/input_error.hpp"

namespace roadplane {

FileReader::FileReader(const std::filesystem::path& path)
    : path_(path),
      file_(std::make_unique<Descriptor>(open_for_reading(path))),
      size_(size_of(*file_)) {}

FileReader::~FileReader() = default;

void FileReader::read(std::size_t offset, std::span<std::byte> into) const {
  while (!into.empty()) {
    const ssize_t got =
        ::pread(file_->number(), into.data(), into.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      throw InputError(path_.string(), "a readable file", std::generic_category().message(errno));
    }
    if (got == 0) {
      throw InputError(path_.string(), std::to_string(into.size()) + " more bytes", "its end");
    }
    offset += static_cast<std::size_t>(got);
    into = into.subspan(static_cast<std::size_t>(got));
  }
}

}  // namespace roadplane
