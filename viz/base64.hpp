#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace roadplane::viz {

/// RFC 4648, with padding.
std::string base64(std::span<const std::byte> bytes);

}  // namespace roadplane::viz
