#pragma once

#include <compare>
#include <string>

namespace roadplane {

/// What a number takes on a link. Below single precision the change against what the neighbours
/// already have travels, and what rounding leaves of it is kept and told later: error feedback.
/// Where links fail changes would get lost, so numbers take single precision there.
struct Wire {
  int bits = 64;

  static const Wire full;    ///< 8 bytes
  static const Wire single;  ///< 4 bytes
  static const Wire half;    ///< 2 bytes, of the change
  static constexpr int kFewest = 4;
  static constexpr int kMost = 12;  ///< of few(): half precision has 11 and a range
  /// So many bits of the change, rounded up or down at random so that the mean is right, in units
  /// that a byte tells for each matrix of a message (the quantiser of Alistarh et al., "QSGD",
  /// NIPS 2017, with a power of two as the scale).
  static constexpr Wire few(int bits) { return {bits}; }
  /// "full", "single", "half" or "bits=N". Throws FieldError naming `wire`.
  static Wire parse(const std::string& text);

  bool tells_changes() const { return bits < 32; }
  bool rounds_at_random() const { return bits <= kMost; }
  friend bool operator==(const Wire&, const Wire&) = default;
};

inline constexpr Wire Wire::full{64};
inline constexpr Wire Wire::single{32};
inline constexpr Wire Wire::half{16};

}  // namespace roadplane
