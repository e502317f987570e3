#include "deflate.hpp"

#include <gtest/gtest.h>
#include <libdeflate.h>

#include <memory>
#include <random>
#include <vector>

#include "huffman.hpp"

namespace roadplane::viz {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// What a zlib stream holds, by a library that is not ours; empty if it is not one.
Bytes unpacked(const Bytes& stream, std::size_t size) {
  Bytes bytes(size);
  const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> library(
      libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  std::size_t used = 0;
  const auto result = libdeflate_zlib_decompress_ex(library.get(), stream.data(), stream.size(),
                                                    bytes.data(), size, &used, nullptr);
  return result == LIBDEFLATE_SUCCESS && used == stream.size() ? bytes : Bytes();
}

Bytes packed(const Bytes& bytes) {
  Bytes stream;
  append_zlib_stream(bytes, stream);
  return stream;
}

/// Small differences are frequent and large ones rare, as in a filtered photo.
Bytes filtered_photo(std::size_t size) {
  std::mt19937 generator(7);
  std::geometric_distribution<int> step(0.2);
  Bytes bytes(size);
  for (auto& byte : bytes) {
    byte = static_cast<std::uint8_t>(generator() % 2 == 0 ? step(generator) : -step(generator));
  }
  return bytes;
}

TEST(Deflate, AnyBytesComeBack) {
  std::mt19937 generator(3);
  for (const std::size_t size :
       {1U, 2U, 7U, 8U, 9U, 100U, 262'143U, 262'144U, 262'145U, 700'000U}) {
    Bytes noise(size);
    for (auto& byte : noise) byte = static_cast<std::uint8_t>(generator());
    EXPECT_EQ(unpacked(packed(noise), size), noise) << size;
    EXPECT_EQ(unpacked(packed(filtered_photo(size)), size), filtered_photo(size)) << size;
    for (const int value : {0, 255}) {
      const Bytes flat(size, static_cast<std::uint8_t>(value));
      EXPECT_EQ(unpacked(packed(flat), size), flat) << size;
    }
  }
}

TEST(Deflate, RunsOfEveryLengthComeBack) {
  Bytes bytes;
  for (std::size_t length = 1; length < 600; ++length) {
    bytes.insert(bytes.end(), length, static_cast<std::uint8_t>(length));
  }
  EXPECT_EQ(unpacked(packed(bytes), bytes.size()), bytes);
  EXPECT_LT(packed(bytes).size(), bytes.size() / 20);
}

TEST(Deflate, WhatIsThereBeforeStays) {
  Bytes out{1, 2, 3};
  append_zlib_stream(Bytes(1000, 5), out);
  EXPECT_EQ(Bytes(out.begin(), out.begin() + 3), (Bytes{1, 2, 3}));
  EXPECT_EQ(unpacked(Bytes(out.begin() + 3, out.end()), 1000), Bytes(1000, 5));
}

TEST(Deflate, IsAsSmallAsTheBytesAreAlike) {
  constexpr std::size_t kSize = 1'000'000;
  EXPECT_LT(packed(Bytes(kSize, 9)).size(), kSize / 400);
  std::vector<double> counts(256);
  for (const std::uint8_t byte : filtered_photo(kSize)) ++counts[byte];
  double entropy_bits = 0;
  for (const double count : counts) {
    if (count > 0) entropy_bits += count * std::log2(kSize / count);
  }
  EXPECT_LT(static_cast<double>(packed(filtered_photo(kSize)).size()), 1.02 * entropy_bits / 8);
}

TEST(Deflate, CodesOfRareSymbolsAreNotTooLong) {
  std::vector<std::uint32_t> counts{1, 1};  // Fibonacci's: the deepest of all trees
  while (counts.size() < 40) counts.push_back(counts.end()[-1] + counts.end()[-2]);
  counts.push_back(0);
  const auto codes = huffman_codes(counts, 12);
  double share = 0;
  for (const HuffmanCode& code : codes) {
    EXPECT_LE(code.length, 12U);
    if (code.length > 0) share += std::exp2(-1.0 * code.length);
  }
  EXPECT_EQ(share, 1.0) << "no code is left unused";
  EXPECT_EQ(codes.back().length, 0U);
  EXPECT_LE(codes[39].length, codes[0].length);
}

}  // namespace
}  // namespace roadplane::viz
