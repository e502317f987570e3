#include "surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace roadplane {
namespace {

using Grid = ReliefGrid;

using Ring = SurfaceRing;

/// How a state is taken on to the next ring: [height_memory ahead_m; 0 slope_memory].
struct Transition {
  float height_memory = 1;
  float slope_memory = 1;
};

GroundState expected(const GroundState& s, const Ring& ring, const Transition& t) {
  const float d = ring.ahead_m, q = ring.slope_noise, m = t.height_memory;
  return {m * s.height_m + d * s.slope, t.slope_memory * s.slope,
          m * m * s.height_variance + 2 * m * d * s.covariance + d * d * s.slope_variance +
              q * d * d / 3,
          t.slope_memory * (m * s.covariance + d * s.slope_variance) + q * d / 2,
          t.slope_memory * t.slope_memory * s.slope_variance + q};
}

GroundState corrected(const GroundState& s, float measured_m, float variance) {
  const float total = s.height_variance + variance;
  const float gain = s.height_variance / total, slope_gain = s.covariance / total;
  const float surprise = measured_m - s.height_m;
  return {s.height_m + gain * surprise, s.slope + slope_gain * surprise,
          (1 - gain) * s.height_variance, (1 - gain) * s.covariance,
          s.slope_variance - slope_gain * s.covariance};
}

/// Rauch, Tung and Striebel: what the ring beyond, now known better than it was expected to be,
/// says of this one.
GroundState smoothed(const GroundState& s, const GroundState& beyond_expected,
                     const GroundState& beyond, const Ring& ring, const Transition& t) {
  const GroundState& e = beyond_expected;
  const float determinant = e.height_variance * e.slope_variance - e.covariance * e.covariance;
  const float i00 = e.slope_variance / determinant, i01 = -e.covariance / determinant,
              i11 = e.height_variance / determinant;
  const float a00 = t.height_memory * s.height_variance + ring.ahead_m * s.covariance;
  const float a01 = t.slope_memory * s.covariance;
  const float a10 = t.height_memory * s.covariance + ring.ahead_m * s.slope_variance;
  const float a11 = t.slope_memory * s.slope_variance;
  const float g00 = a00 * i00 + a01 * i01, g01 = a00 * i01 + a01 * i11;
  const float g10 = a10 * i00 + a11 * i01, g11 = a10 * i01 + a11 * i11;
  const float dh = beyond.height_m - e.height_m, ds = beyond.slope - e.slope;
  const float d00 = beyond.height_variance - e.height_variance,
              d01 = beyond.covariance - e.covariance,
              d11 = beyond.slope_variance - e.slope_variance;
  return {s.height_m + g00 * dh + g01 * ds, s.slope + g10 * dh + g11 * ds,
          s.height_variance + g00 * g00 * d00 + 2 * g00 * g01 * d01 + g01 * g01 * d11,
          s.covariance + g00 * g10 * d00 + (g00 * g11 + g01 * g10) * d01 + g01 * g11 * d11,
          s.slope_variance + g10 * g10 * d00 + 2 * g10 * g11 * d01 + g11 * g11 * d11};
}

class Surface {
 public:
  Surface(const CellPoints& points, const StandingCells& standing, const SurfaceRings& rings,
          const ReliefOptions& options)
      : points_(points),
        standing_(standing),
        options_(options),
        rings_(rings),
        columns_(points.columns()),
        expected_(columns_.size() * Grid::kRings),
        found_(expected_.size()),
        measured_(expected_.size()),
        left_(columns_.size(), -1),
        right_(columns_.size(), -1) {
    const auto count = static_cast<int>(columns_.size());
    for (int i = 0; i < count && count > 1; ++i) {
      const int next = (i + 1) % count;
      if ((columns_[i] + 1) % Grid::kColumns != columns_[next]) continue;
      right_[i] = next;
      left_[next] = i;
    }
  }

  std::vector<GroundState> operator()() {
    for (int ring = 0; ring < Grid::kRings; ++ring) find_ring(ring);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      for (int ring = Grid::kRings - 2; ring >= 0; --ring) {
        at(found_, i, ring) =
            smoothed(at(found_, i, ring), at(expected_, i, ring + 1), at(found_, i, ring + 1),
                     rings_[ring + 1], onwards(i, ring + 1));
      }
    }
    return std::move(found_);
  }

 private:
  static GroundState& at(std::vector<GroundState>& states, std::size_t column, int ring) {
    return states[column * Grid::kRings + static_cast<std::size_t>(ring)];
  }

  /// First each column by itself, then, where a column has not found its ground, with its
  /// neighbours' help, one way round and the other.
  void find_ring(int ring) {
    const auto count = static_cast<int>(columns_.size());
    for (int i = 0; i < count; ++i) {
      at(expected_, i, ring) = at(found_, i, ring) =
          expected(before(i, ring), rings_[ring], onwards(i, ring));
      measure(i, ring, at(expected_, i, ring).height_m);
    }
    for (int i = 0; i < count; ++i) measure_beside(i, left_[i], ring);
    for (int i = count - 1; i >= 0; --i) measure_beside(i, right_[i], ring);
    even_out(ring);
  }

  GroundState before(int i, int ring) {
    if (ring > 0) return at(found_, i, ring - 1);
    return {0, 0, options_.noise_m * options_.noise_m, 0,
            options_.plane_slope * options_.plane_slope};
  }

  /// Where nothing was seen, the ground returns to the plane.
  Transition onwards(int i, int ring) {
    if (ring > 0 && !measured(i, ring - 1)) {
      return {rings_[ring].memory, rings_[ring].blind_memory};
    }
    return {1, rings_[ring].memory};
  }

  char& measured(int i, int ring) {
    return measured_[static_cast<std::size_t>(i) * Grid::kRings + static_cast<std::size_t>(ring)];
  }

  void measure_beside(int i, int neighbour, int ring) {
    if (measured(i, ring) != 0 || neighbour < 0) return;
    const GroundState& own = at(expected_, i, ring);
    const GroundState& other = at(found_, neighbour, ring);
    const float w = 1 / own.height_variance;
    const float v = 1 / (other.height_variance + rings_[ring].across_variance);
    measure(i, ring, (w * own.height_m + v * other.height_m) / (w + v));
  }

  /// The mean of the lowest points of a cell that are near the height sought.
  void measure(int i, int ring, float sought_m) {
    const int cell = columns_[i] * Grid::kRings + ring;
    if (points_.count(cell) == 0) return;
    const float step_m = rings_[ring].step_m;
    const bool standing = standing_.at(columns_[i], ring);
    const CellHeights heights = points_[cell];
    float height_m =
        heights.lowest_between(sought_m - step_m, sought_m + (standing ? options_.step_m : step_m));
    if (!std::isfinite(height_m)) return;
    HeightSums sums;
    for (int k = 0; k < 2; ++k) {
      sums = heights.between(height_m - options_.window_m, height_m + options_.window_m);
      if (sums.count < 1) return;
      height_m = sums.sum / sums.count;
    }
    const float spread = std::max(0.0F, sums.squares / sums.count - height_m * height_m);
    const float noise = options_.noise_m * options_.noise_m;
    const float variance = noise + (spread + noise) / std::min(sums.count, options_.trusted_points);
    at(found_, i, ring) = corrected(at(expected_, i, ring), height_m, variance);
    measured(i, ring) = 1;
  }

  /// Neighbouring columns draw each other to a common height and slope.
  void even_out(int ring) {
    const float slope_variance = 4 * options_.across_slope * options_.across_slope;
    evened_.resize(columns_.size());
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const GroundState& own = at(found_, i, ring);
      float w = 1 / own.height_variance, height = w * own.height_m;
      float v = 1 / own.slope_variance, slope = v * own.slope;
      for (const int neighbour : {left_[i], right_[i]}) {
        if (neighbour < 0) continue;
        const GroundState& other = at(found_, neighbour, ring);
        const float wn = 1 / (other.height_variance + rings_[ring].across_variance);
        const float vn = 1 / (other.slope_variance + slope_variance);
        w += wn, height += wn * other.height_m, v += vn, slope += vn * other.slope;
      }
      evened_[i] = {height / w, slope / v};
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      at(found_, i, ring).height_m = evened_[i].first;
      at(found_, i, ring).slope = evened_[i].second;
    }
  }

  const CellPoints& points_;
  const StandingCells& standing_;
  const ReliefOptions& options_;
  const SurfaceRings& rings_;
  std::span<const int> columns_;
  std::vector<GroundState> expected_;  ///< from the ring before
  std::vector<GroundState> found_;
  std::vector<char> measured_;  ///< cells
  std::vector<int> left_;       ///< neighbours among columns_, or -1
  std::vector<int> right_;
  std::vector<std::pair<float, float>> evened_;
};

}  // namespace

SurfaceRings surface_rings(const ReliefOptions& options) {
  constexpr float kWalkM = 10;
  constexpr auto kColumnRad = static_cast<float>(2 * std::numbers::pi / Grid::kColumns);
  SurfaceRings all;
  float before_m = 0;
  for (int r = 0; r < Grid::kRings; ++r) {
    const float ahead_m = Grid::centre_m(r) - before_m;
    const float across_m = options.across_slope * Grid::centre_m(r) * kColumnRad;
    all[r] = {ahead_m,
              std::exp(-ahead_m / options.slope_memory_m),
              std::exp(-ahead_m / options.blind_memory_m),
              options.slope_walk * options.slope_walk * ahead_m / kWalkM,
              std::min(options.most_step_m, options.step_m + options.step_slope * Grid::width_m(r)),
              across_m * across_m};
    before_m = Grid::centre_m(r);
  }
  return all;
}

std::vector<GroundState> find_surface(const CellPoints& points, const StandingCells& standing,
                                      const SurfaceRings& rings, const ReliefOptions& options) {
  return Surface(points, standing, rings, options)();
}

}  // namespace roadplane
