#include "roadplane/kernels/triple_kernel.hpp"

#include "eight_points.hpp"
#include "tables.hpp"

namespace roadplane::ROADPLANE_KERNELS {
namespace {

/// Columns of eight triples, the same one of each.
struct EightOfTriples {
  EightDoubles row[4];
};

inline EightDoubles dot3(const EightDoubles* a, const EightDoubles* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void planes_through(const float* groups, const std::uint32_t* places, std::size_t count,
                    std::size_t stride, double* planes) {
  // Columns are rounded to single precision: a smaller sine is that of points on a line.
  constexpr double kLeastSine = 1e-5;
  in_eights(count, [&](std::size_t k, auto lane) {
    const auto columns = [&](std::size_t which) {
      float entries[4][kEight];
      for (std::size_t m = 0; m < kEight; ++m) {
        const std::size_t place = places[3 * (k + lane(m)) + which];
        const float* column = groups + place / kGroup * kGroupFloats + place % kGroup;
        for (std::size_t r = 0; r < 4; ++r) entries[r][m] = column[r * kGroup];
      }
      EightOfTriples triples;
      for (std::size_t r = 0; r < 4; ++r) {
        Eight row;
        __builtin_memcpy(&row, entries[r], sizeof(row));
        triples.row[r] = __builtin_convertvector(row, EightDoubles);
      }
      return triples;
    };
    const EightOfTriples p = columns(0);
    const EightOfTriples a = columns(1);
    const EightOfTriples b = columns(2);
    EightDoubles q[3], s[3];  // from p, of some length
    for (std::size_t r = 0; r < 3; ++r) {
      q[r] = p.row[3] * a.row[r] - a.row[3] * p.row[r];
      s[r] = p.row[3] * b.row[r] - b.row[3] * p.row[r];
    }
    const EightDoubles normal[3] = {q[1] * s[2] - q[2] * s[1], q[2] * s[0] - q[0] * s[2],
                                    q[0] * s[1] - q[1] * s[0]};
    const auto wide = dot3(normal, normal) > kLeastSine * kLeastSine * dot3(q, q) * dot3(s, s);
    const EightDoubles w[4] = {p.row[3] * normal[0], p.row[3] * normal[1], p.row[3] * normal[2],
                               -dot3(normal, p.row)};
    for (std::size_t r = 0; r < 4; ++r) {
      const EightDoubles entry = wide ? w[r] : EightDoubles{};
      __builtin_memcpy(planes + r * stride + k, &entry, sizeof(entry));
    }
  });
}

}  // namespace

extern const TripleKernel kTriples = planes_through;

}  // namespace roadplane::ROADPLANE_KERNELS
