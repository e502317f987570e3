#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace roadplane::viz {

/// Throws std::invalid_argument naming the field and its range; NaN is out of every range.
inline void check_range(const std::string& field, double value, double lowest, double highest) {
  if (value >= lowest && value <= highest) return;
  std::ostringstream message;
  message << field << ": expected " << lowest << " to " << highest << ", found " << value;
  throw std::invalid_argument(message.str());
}

}  // namespace roadplane::viz
