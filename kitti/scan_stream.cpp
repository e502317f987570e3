#include "roadplane/kitti/scan_stream.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>

#include "roadplane/base/input_error.hpp"

namespace roadplane::kitti {

std::string ScanStream::here() const { return name_ + ", scan " + std::to_string(scans_); }

/// Fewer only at the end of the stream.
std::size_t ScanStream::read_up_to(std::span<std::byte> bytes) const {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::read(descriptor_, bytes.data() + done, bytes.size() - done);
    if (got == 0) break;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      throw InputError(here(), "bytes that can be read", std::generic_category().message(errno));
    }
    done += static_cast<std::size_t>(got);
  }
  return done;
}

bool ScanStream::next(std::vector<std::byte>& bytes, std::size_t point_bytes) {
  std::uint32_t length = 0;
  const std::size_t got = read_up_to(std::as_writable_bytes(std::span(&length, 1)));
  if (got == 0) return false;
  if (got < sizeof(length)) {
    throw InputError(here(), "a length of 4 bytes", std::to_string(got) + " at the end");
  }
  if (length % point_bytes != 0 || length > kMostBytes) {
    throw InputError(here(),
                     "a length in bytes, a multiple of " + std::to_string(point_bytes) +
                         ", at most " + std::to_string(kMostBytes),
                     std::to_string(length));
  }
  bytes.resize(length);
  const std::size_t read = read_up_to(bytes);
  if (read < length) {
    throw InputError(here(), std::to_string(length) + " bytes",
                     std::to_string(read) + " at the end");
  }
  ++scans_;
  return true;
}

}  // namespace roadplane::kitti
