#include "huffman.hpp"

#include <algorithm>
#include <cstddef>

namespace roadplane::viz {
namespace {

struct Symbol {
  std::uint64_t count = 0;
  std::size_t index = 0;
};

/// The depth of every leaf of the tree of least total length; leaves in ascending order of their
/// counts. Leaves and inner nodes both come in that order, so the two lightest are always at the
/// front of one of two queues (van Leeuwen 1976).
std::vector<std::uint32_t> leaf_depths(const std::vector<Symbol>& leaves) {
  const std::size_t n = leaves.size();
  std::vector<std::uint64_t> weight(2 * n - 1);
  std::vector<std::size_t> parent(2 * n - 1);
  for (std::size_t i = 0; i < n; ++i) weight[i] = leaves[i].count;
  std::size_t leaf = 0;
  std::size_t inner = n;
  for (std::size_t node = n; node < weight.size(); ++node) {
    for (int child = 0; child < 2; ++child) {
      const bool takes_leaf = leaf < n && (inner == node || weight[leaf] <= weight[inner]);
      const std::size_t lightest = takes_leaf ? leaf++ : inner++;
      weight[node] += weight[lightest];
      parent[lightest] = node;
    }
  }
  std::vector<std::uint32_t> depth(2 * n - 1);
  for (std::size_t node = depth.size() - 1; node-- > 0;) depth[node] = depth[parent[node]] + 1;
  depth.resize(n);
  return depth;
}

std::uint32_t reversed(std::uint32_t bits, std::uint32_t length) {
  std::uint32_t result = 0;
  for (std::uint32_t i = 0; i < length; ++i) result |= (bits >> i & 1U) << (length - 1 - i);
  return result;
}

/// RFC 1951, 3.2.2: codes of one length follow each other in the order of the symbols.
void number_codes(std::vector<HuffmanCode>& codes, std::uint32_t most_bits) {
  std::vector<std::uint32_t> next(most_bits + 2);
  for (const HuffmanCode& code : codes) {
    if (code.length > 0) ++next[code.length + 1];
  }
  for (std::uint32_t length = 1; length < next.size(); ++length) {
    next[length] = (next[length - 1] + next[length]) << 1;
  }
  for (HuffmanCode& code : codes) {
    if (code.length > 0) code.bits = reversed(next[code.length]++, code.length);
  }
}

}  // namespace

std::vector<HuffmanCode> huffman_codes(std::span<const std::uint32_t> counts,
                                       std::uint32_t most_bits) {
  std::vector<Symbol> leaves;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) leaves.push_back({counts[i], i});
  }
  std::ranges::stable_sort(leaves, {}, &Symbol::count);
  std::vector<std::uint32_t> depths = leaf_depths(leaves);
  // Rare symbols are made less rare until the tree is flat enough; their order stays.
  while (std::ranges::max(depths) > most_bits) {
    for (Symbol& leaf : leaves) leaf.count = leaf.count / 2 + 1;
    depths = leaf_depths(leaves);
  }
  std::vector<HuffmanCode> codes(counts.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) codes[leaves[i].index].length = depths[i];
  number_codes(codes, most_bits);
  return codes;
}

}  // namespace roadplane::viz
