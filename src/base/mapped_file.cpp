#include "roadplane/base/mapped_file.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <system_error>

#include "roadplane/base/descriptor.hpp"
#include "roadplane/base/input_error.hpp"

namespace roadplane {

MappedFile::MappedFile(const std::filesystem::path& path) {
  const Descriptor file = open_for_reading(path);
  const std::size_t size = size_of(file);
  if (size == 0) return;  // an empty mapping is an error to the system, not to us
  void* memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file.number(), 0);
  if (memory == MAP_FAILED) {
    throw InputError(path.string(), "a file that can be mapped into memory",
                     std::generic_category().message(errno));
  }
  bytes_ = {static_cast<const std::byte*>(memory), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace roadplane
