#include "roadplane/kernels/inspection_kernel.hpp"

#include "robust_loops.hpp"
#include "tables.hpp"
#include "tukey.hpp"

namespace roadplane::ROADPLANE_KERNELS {
namespace {

struct Complex {
  Floats re;
  Floats im;
};

inline Complex times(const Complex& a, const Complex& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

inline Floats magnitude(Floats v) { return v < Floats{} ? -v : v; }

void inspect(const ThinnedGroups& columns, const InspectedPlane& plane, double* numbers) {
  const Hyperplane w = hyperplane(plane.w);
  Floats axes[2][3];
  const auto height = static_cast<float>(plane.height_m);
  const float inverse_norm = 1.0F / __builtin_sqrtf(1.0F + height * height);
  for (int a = 0; a < 2; ++a) {
    for (int r = 0; r < 3; ++r) {
      axes[a][r] = constant(static_cast<float>(plane.axes[a][r]) * inverse_norm);
    }
  }
  const Weights<Tukey, true> weights{plane.window};
  const float narrower = 1.0F / (plane.narrower * plane.narrower);
  sum_columns<InspectionSums::kNumbers>(columns, numbers, [&](const Columns& b, Floats* acc) {
    const Floats y = w.dot(b);
    const Floats off = magnitude(y);
    const Floats none{};
    const Floats one = constant(1);
    const Floats real = b.row[3] > none ? one : none;  // padding is zero
    *acc++ += real;
    *acc++ += off < constant(plane.on) ? real : none;
    *acc++ += y < constant(-2 * plane.on) ? real : none;

    const auto [t, count] = weights.column(y, b.row[3]);
    const Floats psi = Tukey::weight(t) * count * y;
    const Floats bend = Tukey::curvature(t) * count;
    *acc++ += psi * y;
    const Floats q1 = axes[0][0] * b.row[0] + axes[0][1] * b.row[1] + axes[0][2] * b.row[2];
    const Floats q2 = axes[1][0] * b.row[0] + axes[1][1] * b.row[1] + axes[1][2] * b.row[2];
    const Floats q3 = b.row[3] * inverse_norm - y * (height * inverse_norm * inverse_norm);
    const Floats q[3] = {q1, q2, q3};
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c <= r; ++c) *acc++ += bend * q[r] * q[c];
    }
    const Floats narrow = Tukey::weight(t * narrower) * count * y;
    for (int r = 0; r < 3; ++r) *acc++ += narrow * q[r];

    const Floats squared = q1 * q1 + q2 * q2;
    const Floats inverse = inverse_root(squared > none ? squared : one);
    const Complex e{q1 * inverse, q2 * inverse};
    const Floats tilt = psi * squared * inverse;
    const Floats lift = psi * q3;
    Complex power = e;
    Floats* tilt_waves = acc;
    Floats* height_waves = acc + 8;
    for (int k = 0; k < 4; ++k) {
      power = times(power, e);
      tilt_waves[2 * k] += tilt * power.re;
      tilt_waves[2 * k + 1] += tilt * power.im;
      if (k == 3) continue;
      height_waves[2 * k] += lift * power.re;
      height_waves[2 * k + 1] += lift * power.im;
    }
  });
}

}  // namespace

extern const InspectionKernel kInspection = inspect;

}  // namespace roadplane::ROADPLANE_KERNELS
