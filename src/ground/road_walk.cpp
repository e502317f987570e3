#include <algorithm>
#include <cmath>

#include "road_cells.hpp"

namespace roadplane {
namespace {

/// Of a cell that is not seen: just enough for the system to have a solution.
constexpr float kLeast = 1e-4F;

/// Of road by the height off the profile, in units of that at which it is as likely as not; what is
/// below counts as less high.
float height_odds(float ratio, const RoadOptions& options) {
  const float high = ratio > 0 ? ratio : options.height_below * ratio;
  return options.height * (1 - high * high) / (1 + high * high);
}

/// Height and slope of a road outwards, with their covariance.
struct Profile {
  float height_m = 0;
  float slope = 0;
  float height_variance = 0;
  float covariance = 0;
  float slope_variance = 0;

  void go(float ahead_m, const RoadOptions& options) {
    constexpr float kWalkM = 10;
    const float noise = options.profile_walk * options.profile_walk * ahead_m / kWalkM;
    height_m += ahead_m * slope;
    height_variance +=
        ahead_m * (2 * covariance + ahead_m * slope_variance) + noise * ahead_m * ahead_m / 3;
    covariance += ahead_m * slope_variance + noise * ahead_m / 2;
    slope_variance += noise;
    const float memory = std::exp(-ahead_m / options.profile_memory_m);
    slope *= memory;
    covariance *= memory;
    slope_variance *= memory * memory;
  }

  void correct(float measured_m, float variance) {
    const float gain = height_variance / (height_variance + variance);
    const float slope_gain = covariance / (height_variance + variance);
    const float surprise_m = measured_m - height_m;
    height_m += gain * surprise_m;
    slope += slope_gain * surprise_m;
    slope_variance -= slope_gain * covariance;
    covariance *= 1 - gain;
    height_variance *= 1 - gain;
  }
};

}  // namespace

/// Outwards from the plane at the sensor, one profile for each sixteenth of the circle: a road
/// bends up and down, and streets that meet do so differently. Cells that look like road shape it,
/// those above it less than those below.
void RoadCells::follow_profile(bool first, const RoadOptions& options) {
  constexpr int kProfiles = 16;
  constexpr float kSlope = 0.01F;  // of the road at the sensor over the plane
  constexpr float kLikely = 0.7F;  // of a cell that nothing speaks against
  if (columns_ == 0) return;
  const float noise_m2 = options.profile_noise_m * options.profile_noise_m;
  const int all = columns_of_level();
  const int profiles = std::max(1, (columns_ * kProfiles + all / 2) / all);
  for (int k = 0; k < profiles; ++k) {
    const int begin = columns_ * k / profiles, end = columns_ * (k + 1) / profiles;
    Profile profile{0, 0, noise_m2, 0, kSlope * kSlope};
    float before_m = 0;
    for (int row = 0; row < rows_; ++row) {
      const float range_m = row_[static_cast<std::size_t>(row)].range_m;
      profile.go(range_m - before_m, options);
      before_m = range_m;
      const float scale_m = options.profile_m * options.widening(range_m);
      float weights = 0, sum = 0;
      for (int column = begin; column < end; ++column) {
        const Cell& cell = at(row, column);
        if (!cell.seen) continue;
        float weight = std::clamp(kLikely + cell.odds / 2, 0.0F, 1.0F);
        if (!first) weight *= (1 + cell.road) / 2;
        const float off_m = cell.height_m - profile.height_m;
        const float ratio = off_m / (off_m > 0 ? options.profile_up * scale_m : scale_m);
        const float near = 1 + ratio * ratio;
        weight /= near * near;
        weights += weight;
        sum += weight * cell.height_m;
      }
      if (weights > 0) {
        profile.correct(sum / weights, noise_m2 / weights);
      }
      for (int column = begin; column < end; ++column) {
        at(row, column).off_m = at(row, column).height_m - profile.height_m;
      }
    }
  }
}

/// The chance that a random walk from a cell, which ends at each cell the likelier the more that
/// knows of itself, ends on one that says it is road. `halvings` put cells together, two by two.
void RoadCells::walk(int halvings, float height_m, const RoadOptions& options,
                     RoadScratch& scratch) {
  const int rows = (rows_ + halvings) >> halvings, columns = (columns_ + halvings) >> halvings;
  const bool by_rows = columns <= rows;
  const auto number = [&](int row, int column) {
    row >>= halvings, column >>= halvings;
    return static_cast<std::size_t>(by_rows ? row * columns + column : column * rows + row);
  };
  BandedSystem& system = scratch.system;
  system.resize(static_cast<std::size_t>(rows * columns),
                static_cast<std::size_t>(by_rows ? columns : rows));
  const float shorter = 1 / static_cast<float>(1 << halvings);  // a longer way links less
  for (int row = 0; row < rows_; ++row) {
    const float allowed_m =
        height_m * options.widening(row_[static_cast<std::size_t>(row)].range_m);
    for (int column = 0; column < columns_; ++column) {
      const Cell& cell = at(row, column);
      const std::size_t k = number(row, column);
      const auto connect = [&](std::size_t other, float link) {
        if (other != k) system.connect(k, other, shorter * link);
      };
      if (cell.across > 0) connect(number(row, column + 1), cell.across);
      if (cell.along > 0) connect(number(row + 1, column), cell.along);
      system.draw(k, kLeast, 0);
      if (cell.seed) {
        system.draw(k, options.seed, 1);
      } else if (cell.seen) {
        const float odds = cell.odds + height_odds(cell.off_m / allowed_m, options);
        system.draw(k, std::abs(odds), odds > 0 ? 1.0F : 0.0F);
      }
    }
  }
  const std::span<const float> chances = system.solve();
  for (int row = 0; row < rows_; ++row) {
    for (int column = 0; column < columns_; ++column) {
      Cell& cell = at(row, column);
      cell.road = cell.source < 0 ? 0 : chances[number(row, column)];
    }
  }
}

}  // namespace roadplane
