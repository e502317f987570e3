#include "recording_fuzz.hpp"

// Any content of an MCAP file.
void roadplane::fuzz(std::span<const std::byte> content) {
  const FileInMemory file(content);
  read_all(*kitti::open_mcap(file.path()));
}
