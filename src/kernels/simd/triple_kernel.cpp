#include "roadplane/kernels/triple_kernel.hpp"

#include "roadplane/kernels/vectors.hpp"
#include "tables.hpp"

namespace roadplane::ROADPLANE_KERNELS {
namespace {

/// Columns of some triples, the same one of each.
struct SomeColumns {
  Doubles row[4];
};

inline Doubles dot3(const Doubles* a, const Doubles* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void planes_through(const float* groups, const std::uint32_t* places, std::size_t count,
                    std::size_t stride, double* planes) {
  // Columns are rounded to single precision: a smaller sine is that of points on a line.
  constexpr double kLeastSine = 1e-5;
  for (std::size_t k = 0; k < count; k += kDoubles) {
    const auto columns = [&](std::size_t which) {
      float entries[4][kDoubles];
      for (std::size_t m = 0; m < kDoubles; ++m) {
        const std::size_t place = places[3 * (k + m < count ? k + m : k) + which];
        const float* column = groups + place / kGroup * kGroupFloats + place % kGroup;
        for (std::size_t r = 0; r < 4; ++r) entries[r][m] = column[r * kGroup];
      }
      SomeColumns triples;
      for (std::size_t r = 0; r < 4; ++r) {
        HalfFloats row;
        __builtin_memcpy(&row, entries[r], sizeof(row));
        triples.row[r] = __builtin_convertvector(row, Doubles);
      }
      return triples;
    };
    const SomeColumns p = columns(0);
    const SomeColumns a = columns(1);
    const SomeColumns b = columns(2);
    Doubles q[3], s[3];  // from p, of some length
    for (std::size_t r = 0; r < 3; ++r) {
      q[r] = p.row[3] * a.row[r] - a.row[3] * p.row[r];
      s[r] = p.row[3] * b.row[r] - b.row[3] * p.row[r];
    }
    const Doubles normal[3] = {q[1] * s[2] - q[2] * s[1], q[2] * s[0] - q[0] * s[2],
                               q[0] * s[1] - q[1] * s[0]};
    const auto wide = dot3(normal, normal) > kLeastSine * kLeastSine * dot3(q, q) * dot3(s, s);
    const Doubles w[4] = {p.row[3] * normal[0], p.row[3] * normal[1], p.row[3] * normal[2],
                          -dot3(normal, p.row)};
    for (std::size_t r = 0; r < 4; ++r) {
      const Doubles entry = wide ? w[r] : Doubles{};
      __builtin_memcpy(planes + r * stride + k, &entry, sizeof(entry));
    }
  }
}

}  // namespace

extern const TripleKernel kTriples = planes_through;

}  // namespace roadplane::ROADPLANE_KERNELS
