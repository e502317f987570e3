#include "roadplane/kernels/support_kernel.hpp"

#include "roadplane/kernels/robust_loops.hpp"
#include "tables.hpp"

namespace roadplane::ROADPLANE_KERNELS {
namespace {

/// Zero columns at the end of the last group, where it is looked at.
double padding_of(const ThinnedGroups& columns) {
  const std::size_t count = group_count(columns);
  if (count == 0) return 0;
  const float* group = columns.data + group_at(columns, count - 1) * kGroupFloats;
  double zeros = 0;
  for (std::size_t k = kGroup; k > 0 && group[3 * kGroup + k - 1] == 0; --k) ++zeros;
  return zeros;
}

/// How much columns of that b_4 count; padding counts 1.
inline Floats count_of(Floats b4, float near) {
  const Floats range = reciprocal(b4);
  return smaller(range * range * near, constant(1));
}

/// Of so many planes together, which share the work of loading the columns; padding counts as on
/// all of them. kNear: columns' counts differ, and their sum follows the planes'.
template <std::size_t kTogether, bool kNear>
inline void support_of_some(const ThinnedGroups& columns, const double* planes, std::size_t count,
                            const SupportRule& rule, double* support) {
  Hyperplane some[kTogether];  // scaled so that the scale is 1
  for (std::size_t p = 0; p < kTogether; ++p) {
    some[p].set(planes + 4 * (p < count ? p : 0));
    for (Floats& entry : some[p].entry) entry /= rule.scale;
  }
  double sums[kTogether + kNear];
  sum_columns<kTogether + kNear>(columns, sums, [&](const Columns& b, Floats* acc) {
    const Floats part = kNear ? count_of(b.row[3], rule.near) : constant(1);
    for (std::size_t p = 0; p < kTogether; ++p) {
      const Floats y = some[p].dot(b);
      const Floats rest = positive_part(1.0F - y * y);
      const Floats below = y > constant(-rule.depth) ? constant(-rule.blame) : Floats{};
      const Floats value = y < constant(-1) ? below : rest * rest * rest;
      acc[p] += kNear ? value * part : value;
    }
    if constexpr (kNear) acc[kTogether] += part;
  });
  for (std::size_t p = 0; p < kTogether && p < count; ++p) support[p] = sums[p];
  if constexpr (kNear) support[count] = sums[kTogether];
}

template <bool kNear>
void support_of_all(const ThinnedGroups& columns, const double* planes, std::size_t count,
                    const SupportRule& rule, double* support) {
  constexpr std::size_t kMany = 8;
  constexpr std::size_t kFew = 4;
  std::size_t p = 0;
  for (; count - p > kFew; p += count - p < kMany ? count - p : kMany) {
    support_of_some<kMany, kNear>(columns, planes + 4 * p, count - p, rule, support + p);
  }
  if (p < count) {
    support_of_some<kFew, kNear>(columns, planes + 4 * p, count - p, rule, support + p);
  }
}

void support(const ThinnedGroups& columns, const double* planes, std::size_t count,
             const SupportRule& rule, double* support) {
  support[count] = static_cast<double>(group_count(columns) * kGroup);
  if (rule.near > 0) {
    support_of_all<true>(columns, planes, count, rule, support);
  } else {
    support_of_all<false>(columns, planes, count, rule, support);
  }
  const double padding = padding_of(columns);
  for (std::size_t p = 0; p <= count; ++p) support[p] -= padding;
}

}  // namespace

extern const SupportKernel kSupport = support;

}  // namespace roadplane::ROADPLANE_KERNELS
