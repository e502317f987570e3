#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "byte_reader.hpp"

namespace roadplane::kitti {

/// The fields of a message as ROS writes them: ROS 1 one after the other, ROS 2 in CDR, where a
/// number lies at a multiple of its size and a string ends with a zero.
class WireReader {
 public:
  /// `encoding` is "ros1" or "cdr". Throws InputError for a CDR that is not plain.
  WireReader(std::span<const std::byte> message, const std::string& encoding,
             const std::string& where)
      : reader_(message, where), cdr_(encoding == "cdr") {
    if (!cdr_) return;
    const auto head = reader_.take(4);
    const int kind = std::to_integer<int>(head[1]);
    constexpr int kXcdr2 = 6;  // plain CDR of version 2, and 7
    if (head[0] != std::byte{0} || (kind > 1 && kind != kXcdr2 && kind != kXcdr2 + 1)) {
      throw InputError(where, "a message in plain CDR",
                       "encapsulation " + std::to_string(std::to_integer<int>(head[0])) + " " +
                           std::to_string(kind));
    }
    big_endian_ = kind % 2 == 0;
    most_alignment_ = kind >= kXcdr2 ? 4 : 8;
    begin_ = reader_.size();
  }

  bool is_ros1() const { return !cdr_; }
  const std::string& where() const { return reader_.where(); }
  std::size_t rest() const { return reader_.size(); }

  template <class T>
  T value() {
    align(sizeof(T));
    std::array<std::byte, sizeof(T)> bytes;
    std::ranges::copy(reader_.take(sizeof(T)), bytes.begin());
    if (big_endian_) std::ranges::reverse(bytes);
    return little_endian<T>(bytes.data());
  }

  std::string text() {
    const auto length = value<std::uint32_t>();
    std::string_view text = reader_.text(length);
    if (cdr_ && !text.empty() && text.back() == '\0') text.remove_suffix(1);
    return std::string(text);
  }

  /// The number of a sequence's elements, each of at least `least_bytes`: no more than there are.
  std::uint32_t count(std::size_t least_bytes) {
    const auto elements = value<std::uint32_t>();
    if (elements > rest() / least_bytes) {
      throw InputError(where(), std::to_string(elements) + " elements",
                       std::to_string(rest()) + " bytes");
    }
    return elements;
  }

  std::span<const std::byte> bytes() { return reader_.take(value<std::uint32_t>()); }

  /// N numbers without a length before them.
  template <std::size_t N>
  std::array<double, N> numbers() {
    std::array<double, N> all;
    for (double& each : all) each = value<double>();
    return all;
  }

 private:
  void align(std::size_t size) {
    if (!cdr_) return;
    const std::size_t to = std::min(size, most_alignment_);
    reader_.take((to - (begin_ - reader_.size()) % to) % to);
  }

  ByteReader reader_;
  bool cdr_;
  bool big_endian_ = false;
  std::size_t most_alignment_ = 8;
  std::size_t begin_ = 0;  ///< the bytes that were left where CDR begins to count
};

}  // namespace roadplane::kitti
