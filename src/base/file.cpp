#include "roadplane/base/file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "roadplane/base/descriptor.hpp"
#include "roadplane/base/input_error.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;

/// 0 or the system's error number.
int write_file(const fs::path& path, std::span<const std::byte> bytes) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.number() < 0) return errno;
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

std::string read_text_file(const fs::path& path, std::size_t max_bytes) {
  const Descriptor file = open_for_reading(path);
  std::string text(std::min(size_of(file), max_bytes + 1), '\0');
  std::size_t filled = 0;
  while (filled < text.size()) {
    const ssize_t got = ::read(file.number(), text.data() + filled, text.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      throw InputError(path.string(), "a readable file", std::generic_category().message(errno));
    }
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  text.resize(filled);
  if (text.size() > max_bytes) {
    throw InputError(path.string(), "at most " + std::to_string(max_bytes) + " bytes",
                     std::to_string(size_of(file)));
  }
  return text;
}

void write_file_atomically(const fs::path& path, std::span<const std::byte> bytes) {
  // Beside the target, because a rename is atomic only within one file system; under a fixed name,
  // so that what a killed run left behind is overwritten by the next one.
  fs::path temporary = path;
  temporary += ".part";
  int error = write_file(temporary, bytes);
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return;
  ::unlink(temporary.c_str());
  throw InputError(path.string(), "a file that can be written",
                   std::generic_category().message(error));
}

void write_file_atomically(const fs::path& path, std::string_view text) {
  write_file_atomically(path, std::as_bytes(std::span(text)));
}

void make_folders(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw InputError(path.string(), "a folder that can be made", error.message());
}

}  // namespace roadplane
