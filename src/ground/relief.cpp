#include "roadplane/ground/relief.hpp"

#include <algorithm>
#include <cmath>

#include "cell_points.hpp"
#include "flood.hpp"
#include "level.hpp"
#include "standing.hpp"
#include "surface.hpp"

namespace roadplane {
namespace {

/// The hyperplane with the sensor above it and a normal of unit length.
Eigen::Vector4f plane_of(const Eigen::Vector4d& w) {
  return (w * ((w(3) < 0 ? -1 : 1) / w.head<3>().norm())).cast<float>();
}

/// A cell's own height, drawn to the smooth surface by as much as a few points weigh.
float own_height_m(const CellHeights& heights, float surface_m, const ReliefOptions& options) {
  float height_m = surface_m;
  for (int k = 0; k < 2; ++k) {
    const HeightSums sums =
        heights.between(height_m - 2 * options.window_m, height_m + options.window_m);
    height_m = (sums.sum + options.pull_points * surface_m) / (sums.count + options.pull_points);
  }
  return height_m;
}

/// Mean absolute deviation of the points below the height: nothing that stands is among them.
float spread_below_m(const CellHeights& heights, float height_m, const ReliefOptions& options) {
  const HeightSums below = heights.between(height_m - options.below_m, height_m);
  return (below.count * height_m - below.sum + options.trusted_points * options.noise_m) /
         (below.count + options.trusted_points);
}

/// Where the density of so many ground points, Laplace's with that spread, falls below the density
/// of what stands on them, of which so many are seen in the band above.
float limit_m(int ground, int high, float spread_m, float seen, bool standing,
              const ReliefOptions& options) {
  const float count = std::max(static_cast<float>(ground), 0.01F);
  const float unseen =
      options.unseen_m * (standing ? options.clutter_standing_per_m : options.clutter_per_m);
  const float band_m = options.standing_to_m - options.standing_from_m;
  const float clutter =
      (static_cast<float>(high) + unseen * count) / (seen * band_m + options.unseen_m);
  return spread_m * std::log(count / (2 * spread_m * clutter));
}

Relief find_relief(const CellPoints& points, const StandingCells& standing,
                   const SurfaceRings& rings, const ReliefOptions& options) {
  const std::vector<GroundState> surface = find_surface(points, standing, rings, options);
  std::array<float, ReliefGrid::kRings> seen;
  for (int ring = 0; ring < ReliefGrid::kRings; ++ring) {
    seen[ring] = points.seen(ring, options.standing_from_m, options.standing_to_m);
  }
  Relief relief;
  relief.cells.reserve(surface.size());
  for (const int column : points.columns()) {
    relief.begins[column] = static_cast<int>(relief.cells.size()) + 1;
    for (int ring = 0; ring < ReliefGrid::kRings; ++ring) {
      const GroundState& state = surface[relief.cells.size()];
      const int number = column * ReliefGrid::kRings + ring;
      Relief::Cell& cell = relief.cells.emplace_back();
      cell.height_m = state.height_m;
      cell.deviation_m = std::sqrt(std::max(1e-8F, state.height_variance));
      if (points.count(number) == 0) {
        cell.limit_m =
            limit_m(0, 0, options.noise_m, seen[ring], standing.at(column, ring), options);
        continue;
      }
      const CellHeights heights = points[number];
      const float at_m = cell.height_m = own_height_m(heights, state.height_m, options);
      cell.spread_m = spread_below_m(heights, at_m, options);
      const auto [ground, high] =
          heights.count({at_m - options.below_m, at_m + options.window_m},
                        {at_m + options.standing_from_m, at_m + options.standing_to_m});
      cell.points = ground;
      cell.limit_m =
          limit_m(ground, high, cell.spread_m, seen[ring], standing.at(column, ring), options);
    }
  }
  return relief;
}

/// An agent's labels, at the places of its points.
void label_own(const CellPoints& points, std::span<const std::uint32_t> own, const Relief& relief,
               const std::optional<Threshold>& limit, const ReliefOptions& options,
               PointLabels& labels) {
  std::array<CellGround, ReliefGrid::kCells + 1> grounds;
  const float asked_m = limit ? static_cast<float>(limit->value) : 0;
  // In a column in which no point was enough to find the ground by, it is the plane.
  grounds.fill({0, limit ? asked_m : options.noise_m});
  auto cell = relief.cells.begin();
  for (const int column : points.columns()) {
    for (int ring = 0; ring < ReliefGrid::kRings; ++ring, ++cell) {
      grounds[column * ReliefGrid::kRings + ring] = {cell->height_m,
                                                     limit ? asked_m : cell->limit_m};
    }
  }
  grounds[CellPoints::kNoCell] = {0, -1};
  points.label(own, grounds, limit ? asked_m : options.below_m, labels);
}

/// Sorts the hosted agents' points by cell, with heights over their planes or, where these are not
/// the ground at the sensor, over levels.
std::vector<std::optional<Level>> sort_over_levels(Channel& channel, const PointRows& points,
                                                   const Shards& shards,
                                                   std::span<const Eigen::Vector4d> hyperplanes,
                                                   const ReliefOptions& options,
                                                   std::vector<CellPoints>& cells,
                                                   std::vector<Eigen::Vector2f>& ahead) {
  std::vector<NearestGround> nearest;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i].assign(points, shards[static_cast<int>(i)], plane_of(hyperplanes[i]));
    nearest.push_back(find_nearest(cells[i], options));
  }
  flood(channel, nearest, [](NearestGround& one, const NearestGround& other) {
    std::transform(one.begin(), one.end(), other.begin(), one.begin(),
                   [](std::uint16_t a, std::uint16_t b) { return std::min(a, b); });
  });
  std::vector<std::optional<Level>> levels;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    ahead.push_back(look_ahead(nearest[i]));
    levels.push_back(find_level(nearest[i], options));
    if (!levels[i]) continue;
    cells[i].assign(points, shards[static_cast<int>(i)], levels[i]->on(plane_of(hyperplanes[i])));
  }
  return levels;
}

/// Heights over the level become heights over the plane.
void add(const Level& level, Relief& relief) {
  for (int column = 0; column < ReliefGrid::kColumns; ++column) {
    if (relief.begins[column] == 0) continue;
    for (int ring = 0; ring < ReliefGrid::kRings; ++ring) {
      relief.cells[relief.begins[column] - 1 + ring].height_m += level.height_m(column, ring);
    }
  }
}

}  // namespace

struct GroundFinder::Buffers {
  std::vector<CellPoints> cells;  ///< by hosted agent
};

GroundFinder::GroundFinder(const ReliefOptions& options)
    : options_(options), buffers_(std::make_unique<Buffers>()) {}
GroundFinder::~GroundFinder() = default;

Ground GroundFinder::operator()(Channel& channel, const PointRows& points, const Shards& shards,
                                std::span<const Eigen::Vector4d> hyperplanes,
                                const std::optional<Threshold>& limit, Residuals residuals) {
  std::vector<CellPoints>& cells = buffers_->cells;
  cells.resize(static_cast<std::size_t>(shards.agents()));
  Ground ground;
  const std::vector<std::optional<Level>> levels =
      sort_over_levels(channel, points, shards, hyperplanes, options_, cells, ground.ahead);
  std::vector<StandingCells> standing;
  for (const CellPoints& own : cells) standing.push_back(find_standing(own, options_));
  standing = share_standing(channel, std::move(standing));
  const SurfaceRings rings = surface_rings(options_);
  ground.labels = PointLabels(points.size(), residuals);
  ground.reliefs.reserve(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    Relief& relief =
        ground.reliefs.emplace_back(find_relief(cells[i], standing[i], rings, options_));
    label_own(cells[i], shards[static_cast<int>(i)], relief, limit, options_, ground.labels);
    if (levels[i]) add(*levels[i], relief);
  }
  return ground;
}

Ground find_ground(Channel& channel, const PointRows& points, const Shards& shards,
                   std::span<const Eigen::Vector4d> hyperplanes,
                   const std::optional<Threshold>& limit, const ReliefOptions& options) {
  return GroundFinder(options)(channel, points, shards, hyperplanes, limit);
}

}  // namespace roadplane
