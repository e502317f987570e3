#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace roadplane {

/// How numbers are spread.
struct Spread {
  std::size_t count = 0;
  double mean = 0;
  double deviation = 0;  ///< standard deviation of the sample; 0 for a single number
  double median = 0;
  double least = 0;
  double most = 0;
};

/// Nothing for no numbers.
std::optional<Spread> spread_of(std::vector<double> values);

}  // namespace roadplane
