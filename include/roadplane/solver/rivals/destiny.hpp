#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "roadplane/solver/vrsgt.hpp"

namespace roadplane {

template <int N, int P>
class Destiny;

struct DestinyOptions : SolverOptions {
  static constexpr std::string_view kName = "destiny";
  template <int N, int P>
  using Method = Destiny<N, P>;

  double penalty = 1;  ///< beta, the weight of the orthogonality constraint
};

/// DESTINY (Wang & Liu, "Decentralized Optimization over the Stiefel Manifold by an Approximate
/// Augmented Lagrangian Function", IEEE TSP 2022): VRSGT whose every iteration is an outer one.
template <int N, int P>
class Destiny final : public Vrsgt<N, P> {
 public:
  using typename Method<N, P>::Matrix;
  using Options = DestinyOptions;

  Destiny(Channel& channel, Objectives<N, P> objectives, std::vector<Matrix> x_init,
          const DestinyOptions& options)
      : Vrsgt<N, P>(channel, objectives, std::move(x_init), without_inner_loop(options)) {}

 private:
  static VrsgtOptions without_inner_loop(const DestinyOptions& options) {
    VrsgtOptions full;
    static_cast<SolverOptions&>(full) = options;
    full.penalty = options.penalty;
    full.inner_iterations = 0;
    return full;
  }
};

}  // namespace roadplane
