#pragma once

// The loops of RobustKernels, written once for all losses and instruction sets.

#include "roadplane/kernels/robust_kernels.hpp"
#include "vector_math.hpp"

namespace roadplane::ROADPLANE_KERNELS {

inline constexpr std::size_t kFlush = 64;  // groups summed in single precision before a double sum

struct Hyperplane {
  Floats entry[4];
  void set(const double* u) {
    for (int r = 0; r < 4; ++r) entry[r] = constant(static_cast<float>(u[r]));
  }
  Floats dot(const Columns& b) const {
    return entry[0] * b.row[0] + entry[1] * b.row[1] + entry[2] * b.row[2] + entry[3] * b.row[3];
  }
};

inline Hyperplane hyperplane(const double* u) {
  Hyperplane plane;
  plane.set(u);
  return plane;
}

/// A loss at its scales. kRanged: scales or counts depend on the columns' range.
template <class Loss, bool kRanged>
struct Weights {
  KernelWindow window;

  struct Column {
    Floats t;      ///< (y/s)^2
    Floats count;  ///< how much the column counts
  };
  Column column(Floats y, Floats b4) const {
    Floats scale = y < Floats{} ? constant(window.below.rad) : constant(window.above.rad);
    Floats count = constant(1);
    if constexpr (kRanged) {
      scale += b4 * (y < Floats{} ? constant(window.below.m) : constant(window.above.m));
      const Floats range = reciprocal(b4);
      if (window.near > 0) count = smaller(range * range * window.near, constant(1));
    }
    const Floats units = y * reciprocal(scale);
    return {units * units, count};
  }
  Floats at(Floats y, Floats b4) const {
    const auto [t, count] = column(y, b4);
    return Loss::weight(t) * count;
  }
};

/// f(weights) with the simplest weights that the window allows.
template <class Loss, class F>
inline void with_weights(const KernelWindow& window, const F& f) {
  if (window.above.m > 0 || window.below.m > 0 || window.near > 0) {
    f(Weights<Loss, true>{window});
  } else {
    f(Weights<Loss, false>{window});
  }
}

/// f(columns) for the columns of the groups from `first` to before `last`, kFloats at a time.
template <class F>
inline void for_columns(const ThinnedGroups& columns, std::size_t first, std::size_t last,
                        const F& f) {
  for (std::size_t k = first; k < last; ++k) {
    const float* group = columns.data + group_at(columns, k) * kGroupFloats;
    for (std::size_t part = 0; part < kGroup; part += kFloats) f(load_columns(group + part));
  }
}

/// sums[n] = sum over all columns of what add(columns, acc) adds to acc[n]; in single precision for
/// some groups, then in double.
template <std::size_t kSums, class Add>
inline void sum_columns(const ThinnedGroups& columns, double* sums, const Add& add) {
  for (std::size_t n = 0; n < kSums; ++n) sums[n] = 0;
  const std::size_t count = group_count(columns);
  for (std::size_t first = 0; first < count; first += kFlush) {
    Floats acc[kSums] = {};
    const std::size_t last = count - first < kFlush ? count : first + kFlush;
    for_columns(columns, first, last, [&](const Columns& b) { add(b, acc); });
    add_totals<kSums>(acc, sums);
  }
}

template <class W>
inline void add_slopes(const Columns& b, const Hyperplane& u, const W& weights, Floats* sums) {
  const Floats y = u.dot(b);
  const Floats slope = weights.at(y, b.row[3]) * y;
  for (int r = 0; r < 4; ++r) sums[r] += slope * b.row[r];
}

template <class Loss>
void slope_sum(const ThinnedGroups& columns, const double* u, const KernelWindow& window,
               double* sum) {
  const Hyperplane plane = hyperplane(u);
  with_weights<Loss>(window, [&](const auto& weights) {
    sum_columns<4>(columns, sum,
                   [&](const Columns& b, Floats* acc) { add_slopes(b, plane, weights, acc); });
  });
}

/// Up to kFloats columns of a batch, side by side; zero columns, which add nothing, fill up.
inline Columns gather(const float* groups, const std::uint32_t* batch, std::size_t count) {
  Columns columns{};
  for (std::size_t k = 0; k < kFloats && k < count; ++k) {
    const float* b = groups + batch[k] / kGroup * kGroupFloats + batch[k] % kGroup;
    for (std::size_t r = 0; r < 4; ++r) columns.row[r][k] = b[r * kGroup];
  }
  return columns;
}

template <class Loss>
void batch_slope_sums(const float* groups, const std::uint32_t* batch, std::size_t count,
                      const double* u, const double* v, const KernelWindow& window, double* sum_u,
                      double* sum_v) {
  const Hyperplane plane_u = hyperplane(u);
  const Hyperplane plane_v = hyperplane(v);
  Floats sums_u[4] = {};
  Floats sums_v[4] = {};
  with_weights<Loss>(window, [&](const auto& weights) {
    for (std::size_t k = 0; k < count; k += kFloats) {
      const Columns b = gather(groups, batch + k, count - k);
      add_slopes(b, plane_u, weights, sums_u);
      add_slopes(b, plane_v, weights, sums_v);
    }
  });
  for (int r = 0; r < 4; ++r) {
    sum_u[r] = total(sums_u[r]);
    sum_v[r] = total(sums_v[r]);
  }
}

inline void add_moment_of(const Columns& b, Floats weight, Floats* acc) {
  int n = 0;
  for (int r = 0; r < 4; ++r) {
    const Floats weighted = weight * b.row[r];
    for (int c = 0; c <= r; ++c) acc[n++] += weighted * b.row[c];
  }
}

template <class Loss>
void weighted_moment(const ThinnedGroups& columns, const double* u, const KernelWindow& window,
                     double* sums) {
  const Hyperplane plane = hyperplane(u);
  with_weights<Loss>(window, [&](const auto& weights) {
    sum_columns<10>(columns, sums, [&](const Columns& b, Floats* acc) {
      add_moment_of(b, weights.at(plane.dot(b), b.row[3]), acc);
    });
  });
}

template <class Loss>
void moment_and_curvature(const ThinnedGroups& columns, const double* u, const KernelWindow& window,
                          double* sums) {
  const Hyperplane plane = hyperplane(u);
  with_weights<Loss>(window, [&](const auto& weights) {
    sum_columns<20>(columns, sums, [&](const Columns& b, Floats* acc) {
      const auto [t, count] = weights.column(plane.dot(b), b.row[3]);
      const Floats weight = Loss::weight(t) * count;
      const Floats bend = Loss::curvature(t) * count;
      for (int r = 0, n = 0; r < 4; ++r) {
        for (int c = 0; c <= r; ++c, ++n) {
          const Floats product = b.row[r] * b.row[c];
          acc[n] += weight * product;
          acc[10 + n] += bend * product;
        }
      }
    });
  });
}

template <class Loss>
inline constexpr RobustKernels kRobustKernels{slope_sum<Loss>, batch_slope_sums<Loss>,
                                              weighted_moment<Loss>, moment_and_curvature<Loss>};

}  // namespace roadplane::ROADPLANE_KERNELS
