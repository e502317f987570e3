#pragma once

#include "roadplane/kernels/losses/geman_mcclure.hpp"
#include "roadplane/kernels/losses/tukey.hpp"
#include "roadplane/kernels/losses/welsch.hpp"

namespace roadplane::ROADPLANE_KERNELS {

template <class... Loss>
struct LossList {};

/// Every robust loss there is; the first is the default. Names, scalar losses and kernels are made
/// from this list.
// clang-format off
using RobustLosses = LossList<
    GemanMcClure,
    Welsch,
    Tukey>;
// clang-format on

/// A loss in double precision, as functions of y^2 and s^2.
struct ScalarLoss {
  const char* name;
  double (*value)(double y_squared, double s_squared);
  double (*weight)(double y_squared, double s_squared);
};

template <class Loss>
inline constexpr ScalarLoss kScalarLoss{
    Loss::kName, Loss::value, [](double y_squared, double s_squared) {
      return Loss::weight(y_squared, SquaredScale<double>{s_squared, 1 / s_squared});
    }};

}  // namespace roadplane::ROADPLANE_KERNELS
