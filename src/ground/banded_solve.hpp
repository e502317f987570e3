#pragma once

#include <span>
#include <vector>

namespace roadplane {

/// A symmetric positive definite system whose entries lie within a band, solved exactly by Cholesky
/// factors without roots.
class BandedSystem {
 public:
  /// All entries 0.
  void resize(int unknowns, int band);

  float& diagonal(int k) { return at(k, 0); }
  /// Of unknowns k and k + ahead, at most `band` ahead.
  float& beside(int k, int ahead) { return at(k, ahead); }

  /// Replaces the right side by the solution; the entries are used up.
  void solve(std::span<float> right);

 private:
  float& at(int k, int ahead) {
    return entries_[static_cast<std::size_t>(k) * static_cast<std::size_t>(band_ + 1) +
                    static_cast<std::size_t>(ahead)];
  }

  int unknowns_ = 0;
  int band_ = 0;
  std::vector<float> entries_;  ///< rows of the upper band
};

}  // namespace roadplane
