#include "roadplane/base/nearest_word.hpp"

#include <algorithm>
#include <vector>

namespace roadplane {
namespace {

/// Letters to insert, drop, replace or swap with their neighbours to make one word of the other.
std::size_t letters_apart(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> apart(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        apart[i][j] = i + j;
        continue;
      }
      const std::size_t replaced = a[i - 1] == b[j - 1] ? 0 : 1;
      apart[i][j] =
          std::min({apart[i - 1][j] + 1, apart[i][j - 1] + 1, apart[i - 1][j - 1] + replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) apart[i][j] = std::min(apart[i][j], apart[i - 2][j - 2] + 1);
    }
  }
  return apart[a.size()][b.size()];
}

}  // namespace

std::string_view nearest_word(std::string_view word, std::span<const std::string_view> known) {
  std::string_view nearest;
  std::size_t least = 3;
  for (const std::string_view candidate : known) {
    const std::size_t apart = letters_apart(word, candidate);
    if (apart < least && 2 * apart < candidate.size()) {
      least = apart;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace roadplane
