#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "roadplane/base/file.hpp"

namespace roadplane::kitti {

/// Whether a message was packed by itself, as `ros2 bag record --compression-mode message` does:
/// no message in CDR begins as a frame of zstd.
bool is_packed(std::span<const std::byte> message);

/// The first `most` bytes of it, or all. Memory grows as bytes arrive. Throws InputError.
FileBytes unpacked(std::span<const std::byte> message, std::uint64_t most,
                   const std::string& where);

}  // namespace roadplane::kitti
