#include "file_in_memory.hpp"
#include "roadplane/kitti/annotation.hpp"

// Any content of an annotation, through the check and then the library that reads it.
void roadplane::fuzz(std::span<const std::byte> content) {
  const FileInMemory file(content);
  const kitti::Annotation annotation = kitti::read_annotation(file.path());
  require(!annotation.scan.empty() && annotation.mask.size() == annotation.scan.size());
}
