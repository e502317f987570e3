#pragma once

// The loops of RobustKernels, written once for all losses and instruction sets.

#include "roadplane/kernels/robust_kernels.hpp"
#include "roadplane/kernels/vector_math.hpp"

namespace roadplane::ROADPLANE_KERNELS {

inline constexpr std::size_t kGroupFloats = 64;  // 16 columns
inline constexpr std::size_t kFlush = 64;  // groups summed in single precision before a double sum

struct Hyperplane {
  Floats entry[4];
  void set(const double* u) {
    for (int r = 0; r < 4; ++r) entry[r] = constant(static_cast<float>(u[r]));
  }
  Floats dot(const Columns& b) const {
    return (entry[0] * b.row[0] + entry[1] * b.row[1]) +
           (entry[2] * b.row[2] + entry[3] * b.row[3]);
  }
};

inline Hyperplane hyperplane(const double* u) {
  Hyperplane plane;
  plane.set(u);
  return plane;
}

/// A loss at its scales.
template <class Loss>
struct Weights {
  KernelLoss squared;
  KernelLoss inverse;

  explicit Weights(const KernelLoss& scales)
      : squared(scales), inverse{1 / scales.inside, 1 / scales.beyond} {}

  Floats at(Floats y) const {
    const auto beyond = y < Floats{};
    return Loss::weight(
        y * y, SquaredScale<Floats>{beyond ? constant(squared.beyond) : constant(squared.inside),
                                    beyond ? constant(inverse.beyond) : constant(inverse.inside)});
  }
};

/// f(columns) for the columns of the groups from `first` to before `last`, kFloats at a time.
template <class F>
inline void for_columns(const ThinnedBlocks& columns, std::size_t first, std::size_t last,
                        const F& f) {
  for (std::size_t k = first; k < last; ++k) {
    const float* b = columns.blocks + group_at(columns, k) * kGroupFloats;
    for (std::size_t part = 0; part < kGroupFloats; part += 4 * kFloats) f(load_columns(b + part));
  }
}

/// sums[n] = sum over all columns of what add(columns, acc) adds to acc[n]; in single precision for
/// some groups, then in double.
template <int kSums, class Add>
inline void sum_columns(const ThinnedBlocks& columns, double* sums, const Add& add) {
  for (int n = 0; n < kSums; ++n) sums[n] = 0;
  const std::size_t count = group_count(columns);
  for (std::size_t first = 0; first < count; first += kFlush) {
    Floats acc[kSums] = {};
    const std::size_t last = count - first < kFlush ? count : first + kFlush;
    for_columns(columns, first, last, [&](const Columns& b) { add(b, acc); });
    for (int n = 0; n < kSums; ++n) sums[n] += total(acc[n]);
  }
}

template <class Loss>
inline void add_slopes(const Columns& b, const Hyperplane& u, const Weights<Loss>& weights,
                       Floats* sums) {
  const Floats y = u.dot(b);
  const Floats slope = weights.at(y) * y;
  for (int r = 0; r < 4; ++r) sums[r] += slope * b.row[r];
}

template <class Loss>
void slope_sum(const ThinnedBlocks& columns, const double* u, const KernelLoss& loss, double* sum) {
  const Hyperplane plane = hyperplane(u);
  const Weights<Loss> weights(loss);
  sum_columns<4>(columns, sum,
                 [&](const Columns& b, Floats* acc) { add_slopes(b, plane, weights, acc); });
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
  const Hyperplane plane_u = hyperplane(u);
  const Hyperplane plane_v = hyperplane(v);
  const Weights<Loss> weights(loss);
  Floats sums_u[4] = {};
  Floats sums_v[4] = {};
  for (std::size_t k = 0; k < count; k += kFloats) {
    const Columns b = gather(blocks, batch + k, count - k);
    add_slopes(b, plane_u, weights, sums_u);
    add_slopes(b, plane_v, weights, sums_v);
  }
  for (int r = 0; r < 4; ++r) {
    sum_u[r] = total(sums_u[r]);
    sum_v[r] = total(sums_v[r]);
  }
}

template <class Loss>
void weighted_moment(const ThinnedBlocks& columns, const double* u, const KernelLoss& loss,
                     double* sums) {
  const Hyperplane plane = hyperplane(u);
  const Weights<Loss> weights(loss);
  sum_columns<10>(columns, sums, [&](const Columns& b, Floats* acc) {
    const Floats weight = weights.at(plane.dot(b));
    int n = 0;
    for (int r = 0; r < 4; ++r) {
      const Floats weighted = weight * b.row[r];
      for (int c = 0; c <= r; ++c) acc[n++] += weighted * b.row[c];
    }
  });
}

/// Of up to kTogether planes, which share the work of loading the columns; returns the number of
/// columns.
inline constexpr std::size_t kTogether = 4;
template <class Loss>
inline double support_of_some(const ThinnedBlocks& columns, const double* planes, std::size_t count,
                              const SupportRule& rule, double* support) {
  const Weights<Loss> weights(rule.loss);
  Hyperplane some[kTogether];
  for (std::size_t p = 0; p < kTogether; ++p) some[p].set(planes + 4 * (p < count ? p : 0));
  double sums[kTogether + 1];
  sum_columns<kTogether + 1>(columns, sums, [&](const Columns& b, Floats* acc) {
    const auto real = b.row[3] > Floats{};  // padding is zero
    const Floats one = real ? constant(1) : Floats{};
    const Floats norm = reciprocal(real ? b.row[3] : constant(1));
    for (std::size_t p = 0; p < kTogether; ++p) {
      const Floats distance_m = some[p].dot(b) * norm;
      const Floats blamed = distance_m < constant(-rule.margin_m) ? constant(rule.blame) : Floats{};
      acc[p] += (weights.at(distance_m) - blamed) * one;
    }
    acc[kTogether] += one;
  });
  for (std::size_t p = 0; p < count && p < kTogether; ++p) support[p] = sums[p];
  return sums[kTogether];
}

template <class Loss>
void support(const ThinnedBlocks& columns, const double* planes, std::size_t count,
             const SupportRule& rule, double* support) {
  support[count] = 0;
  for (std::size_t p = 0; p < count; p += kTogether) {
    support[count] = support_of_some<Loss>(columns, planes + 4 * p, count - p, rule, support + p);
  }
}

template <class Loss>
void near_support(const ThinnedBlocks& columns, const double* planes, std::size_t count,
                  const KernelLoss& loss, float blame, double* support) {
  const Weights<Loss> weights(loss);
  const std::size_t groups = group_count(columns);
  for (std::size_t p = 0; p <= count; ++p) {
    Floats sum{};
    const Hyperplane plane = hyperplane(planes + 4 * (p < count ? p : 0));
    for_columns(columns, 0, groups, [&](const Columns& b) {
      if (p == count) {
        sum += b.row[3];
        return;
      }
      const Floats y = plane.dot(b);
      const Floats weight = weights.at(y);
      sum += (y < Floats{} ? weight + (weight - 1.0F) * blame : weight) * b.row[3];
    });
    support[p] = total(sum);
  }
}

template <class Loss>
void support_and_beyond(const ThinnedBlocks& columns, const double* plane, const KernelLoss& loss,
                        float margin, double* sums) {
  const Hyperplane u = hyperplane(plane);
  const Weights<Loss> weights(loss);
  Floats support{};
  Floats beyond{};
  for_columns(columns, 0, group_count(columns), [&](const Columns& b) {
    const Floats y = u.dot(b);
    support += weights.at(y) * b.row[3];
    beyond += y < constant(-margin) ? b.row[3] : Floats{};
  });
  sums[0] = total(support);
  sums[1] = total(beyond);
}

template <class Loss>
inline constexpr RobustKernels kRobustKernels{slope_sum<Loss>,       batch_slope_sums<Loss>,
                                              weighted_moment<Loss>, support<Loss>,
                                              near_support<Loss>,    support_and_beyond<Loss>};

}  // namespace roadplane::ROADPLANE_KERNELS
