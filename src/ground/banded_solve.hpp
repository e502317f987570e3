#pragma once

#include <algorithm>
#include <cstdlib>
#include <span>
#include <vector>

#include "roadplane/kernels/band_kernel.hpp"

namespace roadplane {

/// A symmetric positive definite system whose entries lie within a band, solved exactly.
class BandedSystem {
 public:
  /// All entries and the right side 0.
  void resize(std::size_t unknowns, std::size_t band);

  /// Draws an unknown to a value between 0 and 1, the stronger the larger the pull.
  void draw(std::size_t k, float pull, float value) {
    at(k, 0) += pull;
    right_[k] += pull * value;
  }
  /// Draws two unknowns, at most `band` apart, to one value.
  void connect(std::size_t k, std::size_t other, float link) {
    at(k, 0) += link;
    at(other, 0) += link;
    at(std::min(k, other), k < other ? other - k : k - other) -= link;
  }

  /// The unknowns, as long as the system is not changed. It is used up.
  std::span<const float> solve();

 private:
  float& at(std::size_t k, std::size_t ahead) { return entries_[k * equations_.width + ahead]; }

  BandedEquations equations_;
  std::vector<float> entries_;
  std::vector<float> right_;
};

}  // namespace roadplane
