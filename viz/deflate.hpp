#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace roadplane::viz {

/// Appends the bytes to `out` as a zlib stream (RFC 1950, 1951) that knows two kinds of redundancy:
/// some bytes are more frequent than others (Huffman codes of their own for every part), and a byte
/// may be repeated (runs). Filtered rows of a photo have no other that is worth its search.
void append_zlib_stream(std::span<const std::uint8_t> bytes, std::vector<std::uint8_t>& out);

}  // namespace roadplane::viz
