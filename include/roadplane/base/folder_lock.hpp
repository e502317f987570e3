#pragma once

#include <filesystem>

namespace roadplane {

/// Keeps other processes of this program from writing into a folder for as long as it lives. The
/// system lets go of it when the process ends, however it ends. Where a file system knows no locks
/// it does nothing.
class FolderLock {
 public:
  /// Waits for a writer that is just ending. Throws InputError if another one goes on.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace roadplane
