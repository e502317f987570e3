#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace roadplane::kitti {

/// The fields of a message in little-endian CDR, as WireReader reads them.
class CdrWriter {
 public:
  template <class T>
  CdrWriter& value(T value) {
    while ((bytes_.size() - kHead) % sizeof(T) != 0) bytes_.push_back(std::byte{0});
    return raw(std::as_bytes(std::span(&value, 1)));
  }
  CdrWriter& text(std::string_view text) {
    value(static_cast<std::uint32_t>(text.size() + 1));
    raw(std::as_bytes(std::span(text)));
    bytes_.push_back(std::byte{0});
    return *this;
  }
  /// std_msgs/Header.
  CdrWriter& header(std::int64_t stamp_ns, std::string_view frame_id) {
    value(static_cast<std::int32_t>(stamp_ns / 1'000'000'000));
    value(static_cast<std::uint32_t>(stamp_ns % 1'000'000'000));
    return text(frame_id);
  }
  CdrWriter& raw(std::span<const std::byte> more) {
    bytes_.insert(bytes_.end(), more.begin(), more.end());
    return *this;
  }
  void reserve(std::size_t bytes) { bytes_.reserve(bytes); }

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  static constexpr std::size_t kHead = 4;
  std::vector<std::byte> bytes_{std::byte{0}, std::byte{1}, std::byte{0}, std::byte{0}};
};

}  // namespace roadplane::kitti
