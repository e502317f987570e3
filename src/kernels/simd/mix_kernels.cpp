#include "roadplane/kernels/mix_kernels.hpp"

#include "roadplane/kernels/vectors.hpp"
#include "tables.hpp"

namespace roadplane::ROADPLANE_KERNELS {
namespace {

constexpr std::size_t kEight = 8;
constexpr std::size_t kHalf = 2;  // bytes

#if defined(__F16C__)
inline void to_halves(const float* floats, std::uint16_t* halves) {
  const __m128i eight =
      _mm256_cvtps_ph(_mm256_loadu_ps(floats), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  __builtin_memcpy(halves, &eight, sizeof(eight));
}
/// Eight, of which the last four are zero if they do not travel.
inline void to_floats(const std::byte* packed, bool all_eight, float* floats) {
  const auto* halves = reinterpret_cast<const __m128i*>(packed);
  const __m128i eight = all_eight ? _mm_loadu_si128(halves) : _mm_loadl_epi64(halves);
  _mm256_storeu_ps(floats, _mm256_cvtph_ps(eight));
}
#else
inline std::uint32_t bits_of(float v) {
  std::uint32_t bits;
  __builtin_memcpy(&bits, &v, sizeof(bits));
  return bits;
}
inline float float_of(std::uint32_t bits) {
  float v;
  __builtin_memcpy(&v, &bits, sizeof(v));
  return v;
}

inline std::uint16_t half_of(float v) {
  constexpr std::uint32_t kInfinity = 0x7F800000;
  constexpr std::uint32_t kTooLarge = 0x47800000;  // 2^16
  constexpr std::uint32_t kNormal = 0x38800000;    // 2^-14
  const std::uint32_t sign = bits_of(v) >> 16 & 0x8000;
  const std::uint32_t bits = bits_of(v) & 0x7FFFFFFF;
  std::uint32_t half;
  if (bits > kInfinity) {
    half = 0x7E00;
  } else if (bits >= kTooLarge) {
    half = 0x7C00;
  } else if (bits >= kNormal) {  // to even, by a carry that may reach the exponent
    half = (bits - 0x38000000 + 0x0FFF + (bits >> 13 & 1)) >> 13;
  } else {  // the sum with 1/2 has the last bit where the smallest halves have theirs
    half = bits_of(float_of(bits) + 0.5F) - bits_of(0.5F);
  }
  return static_cast<std::uint16_t>(sign | half);
}
inline float float_of_half(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t{half & 0x8000U} << 16;
  const std::uint32_t rest = std::uint32_t{half & 0x7FFFU} << 13;
  const bool finite = rest < 0x0F800000;
  const float magnitude = float_of(rest) * 0x1.0p112F;
  return float_of(sign | (finite ? bits_of(magnitude) : rest | 0x7F800000));
}

inline void to_halves(const float* floats, std::uint16_t* halves) {
  for (std::size_t k = 0; k < kEight; ++k) halves[k] = half_of(floats[k]);
}
inline void to_floats(const std::byte* packed, bool all_eight, float* floats) {
  std::uint16_t halves[kEight] = {};
  __builtin_memcpy(halves, packed, kHalf * (all_eight ? kEight : kEight / 2));
  for (std::size_t k = 0; k < kEight; ++k) floats[k] = float_of_half(halves[k]);
}
#endif

template <class V>
inline V load(const double* p) {
  V v;
  __builtin_memcpy(&v, p, sizeof(v));
  return v;
}
template <class V>
inline void store(const V& v, double* p) {
  __builtin_memcpy(p, &v, sizeof(v));
}

/// Whether eight numbers from the c-th on travel, or four that are the last.
inline bool eight_at(std::size_t c, std::size_t width) { return width - c > kEight / 2; }

inline void pack_row(const double* row, const double* heard, std::size_t width, std::byte* packed) {
  for (std::size_t c = 0; c < width; c += kEight) {
    float changes[kEight];
    for (std::size_t k = 0; k < kEight; k += kDoubles) {
      const auto change = load<Doubles>(row + c + k) - load<Doubles>(heard + c + k);
      const auto rounded = __builtin_convertvector(change, HalfFloats);
      __builtin_memcpy(changes + k, &rounded, sizeof(rounded));
    }
    std::uint16_t halves[kEight];
    to_halves(changes, halves);
    if (eight_at(c, width)) {
      __builtin_memcpy(packed + c * kHalf, halves, sizeof(halves));
    } else {
      __builtin_memcpy(packed + c * kHalf, halves, sizeof(halves) / 2);
    }
  }
}

void pack_halves(const RowLayout& layout, const double* table, const double* heard,
                 std::byte* packed) {
  for (std::size_t r = 0; r < layout.rows; ++r) {
    pack_row(table + r * layout.stride, heard + r * layout.stride, layout.width,
             packed + r * layout.packed_bytes);
  }
}

inline void add_row(const std::byte* packed, std::size_t width, double* heard) {
  for (std::size_t c = 0; c < width; c += kEight) {
    float changes[kEight];
    to_floats(packed + c * kHalf, eight_at(c, width), changes);
    for (std::size_t k = 0; k < kEight; k += kDoubles) {
      HalfFloats change;
      __builtin_memcpy(&change, changes + k, sizeof(change));
      store(load<Doubles>(heard + c + k) + to_doubles(change), heard + c + k);
    }
  }
}

void add_halves(const RowLayout& layout, const std::byte* packed, double* heard) {
  for (std::size_t r = 0; r < layout.rows; ++r) {
    add_row(packed + r * layout.packed_bytes, layout.width, heard + r * layout.stride);
  }
}

/// kCount Vs of columns from the c-th on, whose sums stay in registers.
template <class V, std::size_t kCount>
inline void combine_some(const WeightedRow* links, std::size_t count, const double* table,
                         std::size_t stride, std::size_t c, const ChebyshevStep& step,
                         const double* current, const double* heard, double* row) {
  constexpr std::size_t kWide = sizeof(V) / sizeof(double);
  V sum[kCount] = {};
  for (const WeightedRow* link = links; link != links + count; ++link) {
    const double* from = table + static_cast<std::size_t>(link->row) * stride + c;
    const double weight = link->weight;
    for (std::size_t k = 0; k < kCount; ++k) sum[k] += weight * load<V>(from + k * kWide);
  }
  for (std::size_t k = 0; k < kCount; ++k, c += kWide) {
    V next = step.forward * sum[k];
    if (step.backward != 0) next -= step.backward * load<V>(row + c);
    if (current != nullptr) next += step.forward * (load<V>(current + c) - load<V>(heard + c));
    store(next, row + c);
  }
}

void combine(const WeightedRow* links, std::size_t count, const double* table, std::size_t stride,
             std::size_t width, const ChebyshevStep& step, const double* current,
             const double* heard, double* row) {
  constexpr std::size_t kMany = 2 * kEight / kDoubles;  // 16 numbers at once, and more registers
  typedef double Two __attribute__((vector_size(16)));
  std::size_t c = 0;
  for (; c + kMany * kDoubles <= width; c += kMany * kDoubles) {
    combine_some<Doubles, kMany>(links, count, table, stride, c, step, current, heard, row);
  }
  for (; c + kDoubles <= width; c += kDoubles) {
    combine_some<Doubles, 1>(links, count, table, stride, c, step, current, heard, row);
  }
  for (; c + 2 <= width; c += 2) {
    combine_some<Two, 1>(links, count, table, stride, c, step, current, heard, row);
  }
  for (; c < width; ++c) {
    combine_some<double, 1>(links, count, table, stride, c, step, current, heard, row);
  }
}

}  // namespace

extern const MixKernels kMixKernels{pack_halves, add_halves, combine};

}  // namespace roadplane::ROADPLANE_KERNELS
