#pragma once

#include "geman_mcclure.hpp"
#include "tukey.hpp"
#include "welsch.hpp"

namespace roadplane::ROADPLANE_KERNELS {

template <class... Loss>
struct LossList {};

/// Every robust loss there is; the first is the default. Names, scalar losses and kernels are made
/// from this list.
// clang-format off
using RobustLosses = LossList<
    Tukey,
    GemanMcClure,
    Welsch>;
// clang-format on

/// A loss in double precision, as functions of t = (y/s)^2; its value in units of s^2.
struct ScalarLoss {
  const char* name;
  double width;
  double (*value)(double t);
  double (*weight)(double t);
};

template <class Loss>
inline constexpr ScalarLoss kScalarLoss{Loss::kName, Loss::kWidth, Loss::value,
                                        [](double t) { return Loss::weight(t); }};

}  // namespace roadplane::ROADPLANE_KERNELS
