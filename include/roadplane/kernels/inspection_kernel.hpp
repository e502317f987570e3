#pragma once

#include "roadplane/kernels/isa.hpp"
#include "roadplane/kernels/robust_kernels.hpp"

namespace roadplane {

/// A plane to look at, as the loop needs it: w is unit, with the sensor on the positive side.
struct InspectedPlane {
  double w[4];
  double axes[2][3];    ///< two unit vectors that span the plane
  double height_m;      ///< of the sensor above it
  KernelWindow window;  ///< Tukey's, of the scales that the plane was sought with
  float narrower;       ///< factor of its scales that tells how the plane moves with them
  float on;             ///< up to this |y| a column is on the plane
};

/// Sums over the columns. With q the derivative of y = w'b in (rotation about the two axes,
/// height), psi = phi'(y), e the column's direction in the plane as a complex number:
struct InspectionSums {
  double columns;          ///< their number,
  double on;               ///< of those on the plane,
  double below;            ///< and below it by more than twice as much
  double slope_y;          ///< sum psi y
  double curvature[6];     ///< sum psi' q q', lower triangle
  double narrow[3];        ///< sum psi q at the narrower scales
  double tilt_waves[8];    ///< sum psi |q_12| e^k, k = 2..5, real and imaginary
  double height_waves[6];  ///< sum psi q_3 e^k, k = 2..4

  static constexpr int kNumbers = 27;
};
static_assert(sizeof(InspectionSums) == InspectionSums::kNumbers * sizeof(double));

using InspectionKernel = void (*)(const ThinnedGroups& columns, const InspectedPlane& plane,
                                  double* numbers);

InspectionKernel inspection_kernel(Isa isa);

}  // namespace roadplane
