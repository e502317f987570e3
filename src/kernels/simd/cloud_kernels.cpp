#include "roadplane/kernels/cloud_kernels.hpp"

#include "several_points.hpp"
#include "tables.hpp"

namespace roadplane::ROADPLANE_KERNELS {

void add_moment(const float* groups, std::size_t count, double* sums);  // moment_kernel.cpp

namespace {

constexpr std::size_t kSeveral = kFloats;  ///< points at a time
using Several = Lanes<kSeveral>::Floats;
using SeveralMask = Lanes<kSeveral>::Mask;
using SeveralShorts = Lanes<kSeveral>::Shorts;
using SeveralPoints = Lanes<kSeveral>::Points;

/// Unit columns of several points and which of the points are usable.
struct SeveralColumns {
  Several row[4];
  SeveralMask good;
};

inline SeveralColumns normalise_several(const SeveralPoints& p) {
  const Several squared = p.x * p.x + p.y * p.y + p.z * p.z;
  const Several scale = 1.0F / root(squared + 1.0F);
  // A missing return (the origin) has squared = 0, NaN fails both comparisons, and infinite or
  // overflowing coordinates give an infinite square.
  return {{p.x * scale, p.y * scale, p.z * scale, scale},
          (squared > 0.0F) & (squared < __builtin_inff())};
}

/// Where points are unusable, few, or on both sides of a group's end, as all are after the first
/// that is left out.
#if defined(__AVX512F__)
inline std::size_t append_some(const SeveralColumns& several, std::size_t lanes,
                               const std::uint32_t* positions, std::size_t used, float* groups,
                               std::uint32_t* index) {
  const auto first_of = [](std::size_t count) {
    return static_cast<__mmask16>((std::uint32_t{1} << count) - 1);
  };
  const auto good = reinterpret_cast<const __m512i&>(several.good);
  const __mmask16 taken = _mm512_movepi32_mask(good) & first_of(lanes);
  const auto count = static_cast<std::size_t>(__builtin_popcount(taken));
  const std::size_t room = kGroup - used % kGroup;
  const __mmask16 here = first_of(count < room ? count : room);
  const __mmask16 beyond = first_of(count) & static_cast<__mmask16>(~here);
  float* column = groups + used / kGroup * kGroupFloats + used % kGroup;
  for (std::size_t r = 0; r < 4; ++r) {
    const __m512 row = _mm512_maskz_compress_ps(taken, several.row[r]);
    _mm512_mask_storeu_ps(column + r * kGroup, here, row);
    _mm512_mask_storeu_ps(column + r * kGroup + kGroupFloats - kGroup, beyond, row);
  }
  const __m512i places = _mm512_maskz_loadu_epi32(first_of(lanes), positions);
  _mm512_mask_storeu_epi32(index + used, first_of(count),
                           _mm512_maskz_compress_epi32(taken, places));
  return used + count;
}
#else
inline std::size_t append_some(const SeveralColumns& several, std::size_t lanes,
                               const std::uint32_t* positions, std::size_t used, float* groups,
                               std::uint32_t* index) {
  for (std::size_t k = 0; k < lanes; ++k) {
    if (several.good[k] == 0) continue;
    float* column = groups + used / kGroup * kGroupFloats + used % kGroup;
    for (std::size_t r = 0; r < 4; ++r) column[r * kGroup] = several.row[r][k];
    index[used++] = positions[k];
  }
  return used;
}
#endif

/// All entries of a sample, in turn.
struct AllEntries {
  template <class Number>
  Number operator()(Number k) const {
    return k;
  }
};

/// One out of each of equal parts: at k + fraction parts, in 1 / 2^32 points. The fractions are
/// spread evenly (the R2 sequence of Roberts, 2018).
struct SomeEntries {
  std::uint64_t part;
  std::uint32_t offset;

  template <class Number>
  Number operator()(Number k) const {
    const Number fraction = (k * 3242174889U + offset) & 0xFFFFFFFFU;
    return (k * part + (fraction >> 8) * (part >> 24)) >> 32;
  }
};

/// The entries of `lanes` columns from the k-th on, `stride` apart; in the other lanes the first.
template <class EntryOf>
inline void find_entries(const EntryOf& entry_of, std::size_t k, std::size_t stride,
                         std::size_t lanes, std::uint32_t* entries) {
#if defined(__AVX512DQ__)  // which multiplies whole numbers of 64 bits
  typedef std::uint64_t EightLongs __attribute__((vector_size(64)));
  typedef std::uint32_t EightInts __attribute__((vector_size(32)));
  for (std::size_t first = 0; first < kSeveral; first += 8) {
    EightLongs lane = EightLongs{0, 1, 2, 3, 4, 5, 6, 7} + first;
    if (lanes < kSeveral) lane = lane < lanes ? lane : EightLongs{};
    const EightInts eight = __builtin_convertvector(entry_of(k + lane * stride), EightInts);
    __builtin_memcpy(entries + first, &eight, sizeof(eight));
  }
#else
  for (std::size_t m = 0; m < kSeveral; ++m) {
    entries[m] =
        static_cast<std::uint32_t>(entry_of(std::uint64_t{k + (m < lanes ? m : 0) * stride}));
  }
#endif
}

/// Groups are spread over the sample: the lanes of group g are its entries g, g + stride, ...
template <class Row, class EntryOf>
inline std::size_t normalise_groups(Row row, const EntryOf& entry_of, const PointSample& sample,
                                    std::size_t first, std::size_t count, std::size_t used,
                                    float* groups, std::uint32_t* index) {
  const std::size_t stride = (sample.taken + kGroup - 1) / kGroup;
  constexpr std::size_t kParts = kGroup / kSeveral;
  for (std::size_t k = kParts * first; k < kParts * (first + count); ++k) {  // parts of groups
    const std::size_t entry = k % kParts * kSeveral * stride + k / kParts;   // of the first lane
    if (entry >= sample.taken) continue;
    const std::size_t left = (sample.taken - entry + stride - 1) / stride;
    const std::size_t lanes = left < kSeveral ? left : kSeveral;
    std::uint32_t entries[kSeveral], few[kSeveral];
    find_entries(entry_of, entry, stride, lanes, entries);
    std::uint32_t* at = lanes < kSeveral ? few : index + used;  // mostly they stay there
    for (std::size_t m = 0; m < kSeveral; ++m) {
      at[m] = sample.subset != nullptr ? sample.subset[entries[m]] : entries[m];
    }
    SeveralPoints points;
    load_points(
        [&](std::size_t m) __attribute__((always_inline)) { return row(at[m]); }, points);
    const SeveralColumns several = normalise_several(points);
    if (lanes < kSeveral || used % kGroup > kGroup - kSeveral || !all(several.good)) {
      used = append_some(several, lanes, at, used, groups, index);
      continue;
    }
    float* column = groups + used / kGroup * kGroupFloats + used % kGroup;
    for (std::size_t r = 0; r < 4; ++r) {
      __builtin_memcpy(column + r * kGroup, &several.row[r], sizeof(Several));
    }
    used += kSeveral;
  }
  return used;
}

std::size_t normalise(const FloatRows& points, const PointSample& sample, std::size_t first,
                      std::size_t count, std::size_t used, float* groups, std::uint32_t* index) {
  return with_rows(points, [&](auto row) {
    if (sample.taken == sample.total) {
      return normalise_groups(row, AllEntries{}, sample, first, count, used, groups, index);
    }
    const SomeEntries some{(std::uint64_t{sample.total} << 32) / sample.taken, sample.offset};
    return normalise_groups(row, some, sample, first, count, used, groups, index);
  });
}

/// Ascends with the azimuth from -pi to pi, as 0 to 4, without trigonometry; NaN where there is
/// none.
inline Several pseudo_azimuth(const SeveralPoints& p) {
  const auto absolute = [](Several v) { return v < 0.0F ? -v : v; };
  const Several length = absolute(p.x) + absolute(p.y);
  const Several slope = p.x / (length + __FLT_MIN__);
  return p.y < 0.0F ? 1.0F + slope : 3.0F - slope;
}

/// Several of `count` points from the k-th on; in the lanes where there are none the k-th.
template <class Row, class Lane>
inline SeveralPoints load_lanes(const Row& row, std::size_t k, std::size_t count,
                                const Lane& lane) {
  if (count - k >= kSeveral) return load_in_turn<kSeveral>(row, k);
  SeveralPoints points;
  load_points(
      [&](std::size_t m) __attribute__((always_inline)) { return row(k + lane(m)); }, points);
  return points;
}

template <class Row>
inline void sectors_of(Row row, std::size_t count, std::size_t sectors, std::uint16_t* sector,
                       std::uint32_t* counts) {
  const float per_unit = static_cast<float>(sectors) / 4.0F;
  const SeveralMask last = static_cast<std::int32_t>(sectors - 1) - SeveralMask{};
  // Points are counted while those so far ahead are computed, which keeps other units busy; their
  // sectors are in memory by then.
  constexpr std::size_t kBehind = 64;
  static_assert(kBehind % kSeveral == 0);
  several_at_once<kSeveral>(count, [&](std::size_t k, auto lane) {
    const Several azimuth = pseudo_azimuth(load_lanes(row, k, count, lane));
    const SeveralMask number = __builtin_convertvector(azimuth * per_unit, SeveralMask);
    const SeveralMask its =
        ((azimuth >= 0.0F) & (azimuth <= 4.0F) & (number < last)) ? number : last;
    const SeveralShorts numbers = __builtin_convertvector(its, SeveralShorts);
    if (count - k >= kSeveral) {
      __builtin_memcpy(sector + k, &numbers, sizeof(numbers));
    } else {
      for (std::size_t m = 0; m < count - k; ++m) sector[k + m] = numbers[m];
    }
    if (k < kBehind || counts == nullptr) return;
    for (std::size_t m = k - kBehind; m < k - kBehind + kSeveral; ++m) ++counts[sector[m]];
  });
  if (counts == nullptr) return;
  const std::size_t steps = (count + kSeveral - 1) / kSeveral * kSeveral;
  for (std::size_t k = steps > kBehind ? steps - kBehind : 0; k < count; ++k) ++counts[sector[k]];
}

void find_sectors(const FloatRows& points, std::size_t sectors, std::uint16_t* sector,
                  std::uint32_t* counts) {
  with_rows(points, [&](auto row) { sectors_of(row, points.count, sectors, sector, counts); });
}

/// Residuals of several points and which of them are within the limit.
struct SeveralLabels {
  Several residual;
  SeveralMask inside;
};

template <bool kAngle>
inline SeveralLabels label_several(const SeveralPoints& points, const float* plane, float limit) {
  const auto& [x, y, z] = points;
  const Several squared = x * x + y * y + z * z;
  Several residual = plane[0] * x + plane[1] * y + plane[2] * z + plane[3];
  if constexpr (kAngle) residual = residual * (1.0F / root(squared + 1.0F));
  const SeveralMask usable = (squared > 0.0F) & (squared < __builtin_inff());
  residual = usable ? residual : __builtin_inff() - Several{};
  return {residual, (residual <= limit) & (residual >= -limit)};
}

template <bool kAngle, class Row>
inline void label_points(Row row, const std::uint32_t* own, std::size_t count, const float* w,
                         float limit, float* residuals, std::uint8_t* within) {
  const float plane[4] = {w[0], w[1], w[2], w[3]};  // not where residuals are written
  const auto position_of = [own](std::size_t k) { return own == nullptr ? k : own[k]; };
  // A shard's runs of neighbours are too short for the processor to fetch them by itself in time.
  constexpr std::size_t kAhead = 256;
  constexpr std::size_t kPointsOfLine = 4;
  several_at_once<kSeveral>(count, [&](std::size_t k, auto lane) {
    if (own != nullptr && count - k >= kAhead + kSeveral) {
      for (std::size_t m = 0; m < kSeveral; m += kPointsOfLine) {
        __builtin_prefetch(row(own[k + kAhead + m]));
      }
    }
    if (count - k >= kSeveral && (own == nullptr || in_turn<kSeveral>(own + k))) {
      const std::size_t place = position_of(k);
      const auto [residual, inside] =
          label_several<kAngle>(load_in_turn<kSeveral>(row, place), plane, limit);
      return store_label<kSeveral>(residual, inside, place, residuals, within);
    }
    SeveralPoints points;
    load_points(
        [&](std::size_t m) __attribute__((always_inline)) { return row(position_of(k + lane(m))); },
        points);
    const auto [residual, inside] = label_several<kAngle>(points, plane, limit);
    for (std::size_t m = 0; m < kSeveral && k + m < count; ++m) {
      const std::size_t place = position_of(k + m);
      if (residuals != nullptr) residuals[place] = residual[m];
      within[place] = static_cast<std::uint8_t>(inside[m] & 1);
    }
  });
}

void label(const FloatRows& points, const std::uint32_t* own, std::size_t count, const float* plane,
           bool angle, float limit, float* residuals, std::uint8_t* within) {
  with_rows(points, [&](auto row) {
    if (angle) {
      label_points<true>(row, own, count, plane, limit, residuals, within);
    } else {
      label_points<false>(row, own, count, plane, limit, residuals, within);
    }
  });
}

}  // namespace

extern const CloudKernels kCloudKernels{normalise, find_sectors, label, add_moment};

}  // namespace roadplane::ROADPLANE_KERNELS
