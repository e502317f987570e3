#pragma once

#include <optional>
#include <span>

namespace roadplane {

/// The a of y ~ c x^a: least squares in logarithms. None without two different x. All values are
/// positive.
std::optional<double> fit_exponent(std::span<const double> x, std::span<const double> y);

}  // namespace roadplane
