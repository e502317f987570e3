#include "roadplane/base/file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "roadplane/base/descriptor.hpp"
#include "roadplane/base/file_reader.hpp"
#include "roadplane/base/input_error.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;

/// A file of nobody else's, nor a link to one. What a killed run left behind under that name goes.
Descriptor open_new(const fs::path& path) {
  const auto open = [&] {
    return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  };
  int number = open();
  if (number < 0 && errno == EEXIST && ::unlink(path.c_str()) == 0) number = open();
  return Descriptor(number);
}

/// 0 or the system's error number.
int write_file(const fs::path& path, std::span<const std::byte> bytes, Flush flush) {
  const Descriptor file = open_new(path);
  if (file.number() < 0) return errno;
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return flush == Flush::later || ::fsync(file.number()) == 0 ? 0 : errno;
}

/// Where a file system cannot be told to write, there is nothing to be done about it.
void flush_folder(const fs::path& folder, int (*flush)(int)) {
  const Descriptor opened(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.number() >= 0) flush(opened.number());
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

FileBytes read_file(const fs::path& path) {
  const FileReader file(path);
  FileBytes bytes(file.size());
  file.read(0, bytes);
  return bytes;
}

void write_file_atomically(const fs::path& path, std::span<const std::byte> bytes, Flush flush) {
  // Beside the target, because a rename is atomic only within one file system; under a fixed name,
  // so that what a killed run left behind is overwritten by the next one.
  fs::path temporary = path;
  temporary += ".part";
  int error = write_file(temporary, bytes, flush);
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0 && flush == Flush::now) flush_folder(path.parent_path(), ::fsync);
  if (error == 0) return;
  ::unlink(temporary.c_str());
  throw InputError(path.string(), "a file that can be written",
                   std::generic_category().message(error));
}

void write_file_atomically(const fs::path& path, std::string_view text, Flush flush) {
  write_file_atomically(path, std::as_bytes(std::span(text)), flush);
}

void flush_file_system(const fs::path& folder) { flush_folder(folder, ::syncfs); }

void make_folders(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw InputError(path.string(), "a folder that can be made", error.message());
}

void refuse_links_below(const fs::path& folder) {
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->is_symlink()) {
      throw InputError(entry->path().string(), "a file or folder of " + folder.string() + " itself",
                       "a link");
    }
  }
  if (error) throw InputError(folder.string(), "folders that can be read", error.message());
}

}  // namespace roadplane
