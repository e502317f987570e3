#include "roadplane/base/descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "roadplane/base/input_error.hpp"

namespace roadplane {
namespace {

std::string describe(const struct stat& status) {
  if (S_ISDIR(status.st_mode)) return "a directory";
  if (S_ISFIFO(status.st_mode)) return "a pipe";
  if (S_ISSOCK(status.st_mode)) return "a socket";
  return "a device";
}

[[noreturn]] void throw_unreadable(const std::filesystem::path& path, int error) {
  const bool missing = error == ENOENT || error == ENOTDIR;
  throw InputError(path.string(), "a readable file",
                   missing ? "no such file" : std::generic_category().message(error));
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

Descriptor open_for_reading(const std::filesystem::path& path) {
  // O_NONBLOCK: opening a pipe that nobody writes to would wait for ever.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) throw_unreadable(path, errno);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) throw_unreadable(path, errno);
  if (!S_ISREG(status.st_mode)) throw InputError(path.string(), "a file", describe(status));
  return file;
}

std::size_t size_of(const Descriptor& file) {
  struct stat status {};
  return ::fstat(file.number(), &status) == 0 ? static_cast<std::size_t>(status.st_size) : 0;
}

}  // namespace roadplane
