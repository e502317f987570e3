#include "roadplane/kernels/robust_kernels.hpp"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include <algorithm>

#include "roadplane/kernels/vectors.hpp"

namespace roadplane::ROADPLANE_KERNELS {
namespace {

constexpr std::size_t kGroupFloats = 64;  // 16 columns
constexpr std::size_t kFlush = 64;        // groups summed in single precision before a double sum

typedef std::int32_t Integers __attribute__((vector_size(kFloats * sizeof(std::int32_t))));

inline Floats constant(float value) { return value - Floats{}; }

struct Hyperplane {
  Floats entry[4];
  explicit Hyperplane(const double* u) {
    for (int r = 0; r < 4; ++r) entry[r] = constant(static_cast<float>(u[r]));
  }
  Floats dot(const Columns& b) const {
    return (entry[0] * b.row[0] + entry[1] * b.row[1]) +
           (entry[2] * b.row[2] + entry[3] * b.row[3]);
  }
};

inline Floats squared_scale(Floats y, const KernelLoss& loss) {
  return y < Floats{} ? constant(loss.beyond) : constant(loss.inside);
}

/// 1 / v, to the last bit or so: dividing whole AVX-512 registers is slow, a guess and a step of
/// Newton's are not.
inline Floats reciprocal(Floats v) {
#if defined(__AVX512F__)
  const Floats guess = _mm512_maskz_rcp14_ps(0xFFFF, v);
  return guess * (2.0F - v * guess);
#else
  return 1.0F / v;
#endif
}

struct GemanMcClure {
  static Floats weight(Floats y, const KernelLoss& loss) {
    const Floats t = squared_scale(y, loss);
    const Floats ratio = t * reciprocal(t + y * y);
    return ratio * ratio;
  }
};

/// 2^z for z <= 0, to single precision: a polynomial between the powers (Cephes' exp2f).
inline Floats power_of_two(Floats z) {
  const Floats clamped = z < constant(-126.0F) ? constant(-126.0F) : z;
  const Integers whole = __builtin_convertvector(clamped - 0.5F, Integers);  // rounds to nearest
  const Floats f = clamped - __builtin_convertvector(whole, Floats);
  Floats p = f * 1.535336188319500e-4F + 1.339887440266574e-3F;
  p = p * f + 9.618437357674640e-3F;
  p = p * f + 5.550332471162809e-2F;
  p = p * f + 2.402264791363012e-1F;
  p = p * f + 6.931472028550421e-1F;
  p = p * f + 1.0F;
  const Integers bits = (whole + 127) << 23;
  Floats power;
  __builtin_memcpy(&power, &bits, sizeof(power));
  return p * power;
}

struct Welsch {
  static Floats weight(Floats y, const KernelLoss& loss) {
    constexpr float kHalfLog2E = 0.72134752F;
    return power_of_two(y * y / squared_scale(y, loss) * -kHalfLog2E);
  }
};

template <class Loss>
void add_slopes(const Columns& b, const Hyperplane& u, const KernelLoss& loss, Floats* sums) {
  const Floats y = u.dot(b);
  const Floats slope = Loss::weight(y, loss) * y;
  for (int r = 0; r < 4; ++r) sums[r] += slope * b.row[r];
}

template <class Loss>
void slope_sum(const ThinnedBlocks& columns, const double* u, const KernelLoss& loss, double* sum) {
  const Hyperplane plane(u);
  for (int r = 0; r < 4; ++r) sum[r] = 0;
  const std::size_t count = columns.count();
  for (std::size_t first = 0; first < count; first += kFlush) {
    Floats sums[4] = {};
    for (std::size_t k = first; k < std::min(first + kFlush, count); ++k) {
      const float* b = columns.columns(k);
      for (std::size_t part = 0; part < kGroupFloats; part += 4 * kFloats) {
        add_slopes<Loss>(load_columns(b + part), plane, loss, sums);
      }
    }
    for (int r = 0; r < 4; ++r) sum[r] += total(sums[r]);
  }
}

/// Up to kFloats columns of a batch, side by side; zero columns, which add nothing, fill up.
inline Columns gather(const float* blocks, const std::uint32_t* batch, std::size_t count) {
  Columns columns{};
  for (std::size_t k = 0; k < kFloats && k < count; ++k) {
    const float* b = blocks + batch[k] / 4 * std::size_t{16} + batch[k] % 4;
    for (int r = 0; r < 4; ++r) columns.row[r][k] = b[4 * r];
  }
  return columns;
}

template <class Loss>
void batch_slope_sums(const float* blocks, const std::uint32_t* batch, std::size_t count,
                      const double* u, const double* v, const KernelLoss& loss, double* sum_u,
                      double* sum_v) {
  const Hyperplane plane_u(u);
  const Hyperplane plane_v(v);
  Floats sums_u[4] = {};
  Floats sums_v[4] = {};
  for (std::size_t k = 0; k < count; k += kFloats) {
    const Columns b = gather(blocks, batch + k, count - k);
    add_slopes<Loss>(b, plane_u, loss, sums_u);
    add_slopes<Loss>(b, plane_v, loss, sums_v);
  }
  for (int r = 0; r < 4; ++r) {
    sum_u[r] = total(sums_u[r]);
    sum_v[r] = total(sums_v[r]);
  }
}

template <class Loss>
void weighted_moment(const ThinnedBlocks& columns, const double* u, const KernelLoss& loss,
                     double* sums) {
  const Hyperplane plane(u);
  for (int n = 0; n < 10; ++n) sums[n] = 0;
  const std::size_t count = columns.count();
  for (std::size_t first = 0; first < count; first += kFlush) {
    Floats acc[10] = {};
    for (std::size_t k = first; k < std::min(first + kFlush, count); ++k) {
      const float* b = columns.columns(k);
      for (std::size_t part = 0; part < kGroupFloats; part += 4 * kFloats) {
        const Columns all = load_columns(b + part);
        const Floats weight = Loss::weight(plane.dot(all), loss);
        int n = 0;
        for (int r = 0; r < 4; ++r) {
          const Floats weighted = weight * all.row[r];
          for (int c = 0; c <= r; ++c) acc[n++] += weighted * all.row[c];
        }
      }
    }
    for (int n = 0; n < 10; ++n) sums[n] += total(acc[n]);
  }
}

template <class Loss>
void near_support(const ThinnedBlocks& columns, const double* planes, std::size_t count,
                  const KernelLoss& loss, float blame, double* support) {
  const std::size_t groups = columns.count();
  for (std::size_t p = 0; p <= count; ++p) {
    Floats sum{};
    const Hyperplane plane(planes + 4 * (p < count ? p : 0));
    for (std::size_t k = 0; k < groups; ++k) {
      const float* b = columns.columns(k);
      for (std::size_t part = 0; part < kGroupFloats; part += 4 * kFloats) {
        const Columns all = load_columns(b + part);
        if (p == count) {
          sum += all.row[3];
          continue;
        }
        const Floats y = plane.dot(all);
        const Floats weight = Loss::weight(y, loss);
        sum += (y < Floats{} ? weight + (weight - 1.0F) * blame : weight) * all.row[3];
      }
    }
    support[p] = total(sum);
  }
}

template <class Loss>
void support_and_beyond(const ThinnedBlocks& columns, const double* plane, const KernelLoss& loss,
                        float margin, double* sums) {
  const Hyperplane u(plane);
  Floats support{};
  Floats beyond{};
  const std::size_t count = columns.count();
  for (std::size_t k = 0; k < count; ++k) {
    const float* b = columns.columns(k);
    for (std::size_t part = 0; part < kGroupFloats; part += 4 * kFloats) {
      const Columns all = load_columns(b + part);
      const Floats y = u.dot(all);
      support += Loss::weight(y, loss) * all.row[3];
      beyond += y < constant(-margin) ? all.row[3] : Floats{};
    }
  }
  sums[0] = total(support);
  sums[1] = total(beyond);
}

template <class Loss>
constexpr RobustKernels kKernels{slope_sum<Loss>, batch_slope_sums<Loss>, weighted_moment<Loss>,
                                 near_support<Loss>, support_and_beyond<Loss>};

}  // namespace

extern const RobustKernels kGemanMcClure = kKernels<GemanMcClure>;
extern const RobustKernels kWelsch = kKernels<Welsch>;

}  // namespace roadplane::ROADPLANE_KERNELS
