#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace roadplane::viz {

/// One symbol of a prefix code, as deflate writes it: the first bit is the lowest.
struct HuffmanCode {
  std::uint32_t bits = 0;
  std::uint32_t length = 0;  ///< [bits] 0 if the symbol does not occur
};

/// A canonical prefix code for symbols that occur so often, at least two of them, none of its codes
/// longer than `most_bits`.
std::vector<HuffmanCode> huffman_codes(std::span<const std::uint32_t> counts,
                                       std::uint32_t most_bits);

}  // namespace roadplane::viz
