#include "level.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace roadplane {
namespace {

using Grid = ReliefGrid;

constexpr std::uint16_t kNone = 0xFFFF;
constexpr int kHeights = kNone / Grid::kRings;  ///< a ring's number is followed by so many
constexpr float kHeightsM = 4;                  ///< [m] from the lowest to the highest of them
constexpr float kHeightStepM = kHeightsM / kHeights;  ///< [m] 3 mm

std::uint16_t number_of(int ring, float height_m) {
  const float steps = std::floor((height_m + kHeightsM / 2) / kHeightStepM);
  return static_cast<std::uint16_t>(ring * kHeights +
                                    std::clamp(static_cast<int>(steps), 0, kHeights - 1));
}

int ring_of(std::uint16_t number) { return number / kHeights; }

float height_of_m(std::uint16_t number) {
  return (static_cast<float>(number % kHeights) + 0.5F) * kHeightStepM - kHeightsM / 2;
}

/// What a level's height and slopes are multiplied with for its height in a cell.
Eigen::Vector3f place_of(int column, int ring) {
  constexpr auto kColumnRad = static_cast<float>(2 * std::numbers::pi / Grid::kColumns);
  const float azimuth = (static_cast<float>(column) + 0.5F) * kColumnRad;
  const float range_m = Grid::centre_m(ring);
  return {1, range_m * std::cos(azimuth), range_m * std::sin(azimuth)};
}

struct Sample {
  Eigen::Vector3f place;
  float height_m = 0;
};

std::vector<Sample> samples_of(const NearestGround& nearest) {
  std::vector<Sample> samples;
  for (int column = 0; column < Grid::kColumns; ++column) {
    const std::uint16_t number = nearest[column];
    if (number == kNone) continue;
    samples.push_back({place_of(column, ring_of(number)), height_of_m(number)});
  }
  return samples;
}

std::size_t count_on(const Eigen::Vector3f& level, const std::vector<Sample>& samples,
                     float window_m) {
  return static_cast<std::size_t>(std::count_if(
      samples.begin(), samples.end(),
      [&](const Sample& s) { return std::abs(s.height_m - s.place.dot(level)) < window_m; }));
}

/// Least squares about the plane, with Geman and McClure's weights: cars stand in some columns.
Eigen::Vector3f fit(const std::vector<Sample>& samples, const ReliefOptions& options) {
  constexpr float kNarrower = 0.7F;
  const float slope_weight = std::pow(options.noise_m / options.plane_slope, 2.0F);
  Eigen::Vector3f level = Eigen::Vector3f::Zero();
  for (float scale_m = options.most_step_m; scale_m > options.window_m; scale_m *= kNarrower) {
    Eigen::Matrix3f matrix = Eigen::Vector3f(1, slope_weight, slope_weight).asDiagonal();
    Eigen::Vector3f right = Eigen::Vector3f::Zero();
    for (const Sample& s : samples) {
      const float ratio = (s.height_m - s.place.dot(level)) / scale_m;
      const float weight = std::pow(1 + ratio * ratio, -2.0F);
      matrix += weight * s.place * s.place.transpose();
      right += weight * s.height_m * s.place;
    }
    level = matrix.ldlt().solve(right);
  }
  return level;
}

}  // namespace

float Level::height_m(int column, int ring) const { return place_of(column, ring).dot(level_); }

Eigen::Vector4f Level::on(const Eigen::Vector4f& plane) const {
  const Eigen::Vector4f tilted = plane - Eigen::Vector4f(level_(1), level_(2), 0, level_(0));
  return tilted / tilted.head<3>().norm();
}

NearestGround find_nearest(const CellPoints& points, const ReliefOptions& options) {
  NearestGround nearest;
  nearest.fill(kNone);
  for (const int column : points.columns()) {
    for (int ring = 0; ring < Grid::kRings; ++ring) {
      const int cell = column * Grid::kRings + ring;
      if (points.count(cell) == 0) continue;
      const CellHeights heights = points[cell];
      const float lowest_m = heights.lowest_between(-options.most_step_m, options.most_step_m);
      if (!std::isfinite(lowest_m)) continue;
      const HeightSums sums =
          heights.between(lowest_m - options.window_m, lowest_m + options.window_m);
      nearest[column] = number_of(ring, sums.sum / sums.count);
      break;
    }
  }
  return nearest;
}

Eigen::Vector2f look_ahead(const NearestGround& nearest) {
  int widest = 0, behind = 0;
  for (int begin = 0; begin < Grid::kColumns; ++begin) {
    int width = 0;
    while (width < Grid::kColumns && nearest[(begin + width) % Grid::kColumns] == kNone) ++width;
    if (width <= widest) continue;
    widest = width;
    behind = begin + width;
  }
  if (widest < Grid::kColumns / 2 || widest == Grid::kColumns) return Eigen::Vector2f::Zero();
  const float columns =
      static_cast<float>(behind) + static_cast<float>(Grid::kColumns - widest) / 2;
  const float azimuth = columns * static_cast<float>(2 * std::numbers::pi / Grid::kColumns);
  return {std::cos(azimuth), std::sin(azimuth)};
}

std::optional<Level> find_level(const NearestGround& nearest, const ReliefOptions& options) {
  const std::vector<Sample> samples = samples_of(nearest);
  const std::size_t enough = samples.size() / 4 + 1;  // more columns on the level than on the plane
  const std::size_t on_plane = count_on(Eigen::Vector3f::Zero(), samples, options.window_m);
  if (on_plane + enough > samples.size()) return std::nullopt;
  const Eigen::Vector3f level = fit(samples, options);
  const std::size_t on_level = count_on(level, samples, options.window_m);
  if (on_level < on_plane + enough || 2 * on_level <= samples.size()) return std::nullopt;
  return Level(level);
}

}  // namespace roadplane
