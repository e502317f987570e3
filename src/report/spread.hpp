#pragma once

#include <cstddef>
#include <vector>

namespace roadplane {

/// At most `most` of them, evenly spread, the first and the last included.
template <class T>
std::vector<T> spread(const std::vector<T>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<T> chosen;
  for (std::size_t k = 0; k < most; ++k) {
    chosen.push_back(all[most == 1 ? 0 : k * (all.size() - 1) / (most - 1)]);
  }
  return chosen;
}

}  // namespace roadplane
