#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

#include "roadplane/base/input_error.hpp"

namespace roadplane {

/// What each fuzz program defines: reads any content, and may throw InputError but nothing else.
void fuzz(std::span<const std::byte> content);

inline void require(bool condition) {
  if (!condition) std::abort();
}

inline std::string_view as_text(std::span<const std::byte> content) {
  return {reinterpret_cast<const char*>(content.data()), content.size()};
}

}  // namespace roadplane

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    roadplane::fuzz(std::as_bytes(std::span(data, size)));
  } catch (const roadplane::InputError& error) {
    // The message must stay one line, whatever bytes the input holds.
    roadplane::require(std::string_view(error.what()).find('\n') == std::string_view::npos);
  }
  return 0;
}
