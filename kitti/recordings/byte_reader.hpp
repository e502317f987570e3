#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "roadplane/base/input_error.hpp"

namespace roadplane::kitti {

static_assert(std::endian::native == std::endian::little);

/// The value at the beginning of `bytes`, of which there must be enough.
template <class T>
T little_endian(const std::byte* bytes) {
  T value{};
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

/// Takes little-endian values off the front of bytes, and never one that is not there.
class ByteReader {
 public:
  /// `where` begins the message of an InputError.
  ByteReader(std::span<const std::byte> bytes, std::string where)
      : rest_(bytes), where_(std::move(where)) {}

  bool empty() const { return rest_.empty(); }
  std::size_t size() const { return rest_.size(); }
  const std::string& where() const { return where_; }

  std::span<const std::byte> take(std::uint64_t count) {
    if (count > rest_.size()) {
      throw InputError(where_, std::to_string(count) + " more bytes", std::to_string(rest_.size()));
    }
    const auto taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }

  template <class T>
  T value() {
    return little_endian<T>(take(sizeof(T)).data());
  }

  std::string_view text(std::uint64_t count) {
    const auto taken = take(count);
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }

  /// Its length before it.
  std::string_view text() { return text(value<std::uint32_t>()); }

 private:
  std::span<const std::byte> rest_;
  std::string where_;
};

}  // namespace roadplane::kitti
