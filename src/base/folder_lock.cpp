#include "roadplane/base/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include "roadplane/base/input_error.hpp"

namespace roadplane {

FolderLock::FolderLock(const std::filesystem::path& folder) {
  using namespace std::chrono_literals;
  constexpr int kTries = 30;  // ranks that have lost their mpirun live on for up to a second
  descriptor_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (int k = 0; ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; ++k) {
    if (k == kTries) {
      ::close(descriptor_);
      throw InputError(folder.string(), "a folder that no other run writes to",
                       "a run that is under way");
    }
    std::this_thread::sleep_for(100ms);
  }
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

}  // namespace roadplane
