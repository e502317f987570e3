#pragma once

#include <concepts>

namespace roadplane {

/// A function phi of one projection y = x'b. Every objective of the project is a mean of such:
/// f(X) = 1/l sum_j sum_c phi(x_c'b_j), so a loss is all that a new objective has to bring.
template <class L>
concept Loss = std::copyable<L> && requires(const L loss, double y) {
  { loss.value(y) } -> std::convertible_to<double>;
  { loss.slope(y) } -> std::convertible_to<double>;  ///< phi'(y)
};

/// A loss that knows its second derivative.
template <class L>
concept CurvedLoss = Loss<L> && requires(const L loss, double y) {
  { loss.curvature(y) } -> std::convertible_to<double>;  ///< phi''(y)
};

/// phi'(y) / y, what a projection counts for in a weighted moment.
template <Loss L>
double weight_of(const L& loss, double y) {
  constexpr double kTiny = 1e-100;  // stands for 0, where the quotient has a limit only
  return y == 0 ? loss.slope(kTiny) / kTiny : loss.slope(y) / y;
}

}  // namespace roadplane
