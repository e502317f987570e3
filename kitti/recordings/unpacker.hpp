#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace roadplane::kitti {

/// Packed bytes become plain ones piece by piece, so that memory does not depend on how much a
/// packed block turns out to be.
class Unpacker {
 public:
  struct Step {
    std::size_t taken = 0;  ///< of the packed bytes
    std::size_t made = 0;   ///< of the plain ones
    bool bad = false;       ///< what is packed cannot be unpacked
  };

  virtual ~Unpacker() = default;
  virtual Step step(std::span<const std::byte> packed, std::span<std::byte> plain) = 0;
};

/// For "", "none", "lz4" (frames), "zstd" and "bz2"; nothing for any other name.
std::unique_ptr<Unpacker> make_unpacker(const std::string& compression);

}  // namespace roadplane::kitti
