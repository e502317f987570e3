#pragma once

#include <chrono>
#include <string>

#include "roadplane/base/input_error.hpp"

namespace roadplane::baseline {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

template <class Number>
void require(bool good, const char* field, const char* expected, Number found) {
  if (!good) throw InputError(field, expected, std::to_string(found));
}

}  // namespace roadplane::baseline
