#include "road_cells.hpp"

#include <algorithm>
#include <cmath>

namespace roadplane {
namespace {

using Grid = RoadGrid;

constexpr CellGrid kGrid{
    .columns = Grid::kColumns,
    .rings = Grid::kRings,
    .rings_per_octave = Grid::kRingsPerOctave,
    .inner_m = Grid::kInnerM,
    .most_m = 3,  // as the relief has it
    .most_slope = 0.15F,
    .elevation_bins = 1,  // nobody reads them here
    .elevation_bin = 1,
};

/// A cell should hold so many points on average, or its spread says nothing.
constexpr std::size_t kPointsOfCell = 3;
/// A gap between two rows of lasers is at most so many rings of the finest grid.
constexpr int kGap = 8;

float step_of(float rise_m, float distance_m, const RoadOptions& options) {
  return std::max(0.0F, std::abs(rise_m) - options.link_slope * distance_m);
}

float length(float x, float y) { return std::sqrt(x * x + y * y); }

float link_across(float step_m, const RoadOptions& options) {
  const float ratio = step_m / options.link_step_m;
  const float flat = 1 + ratio * ratio;
  return options.link / (flat * flat);
}

}  // namespace

void RoadCells::assign(const PointRows& points, std::span<const std::uint32_t> own,
                       const Eigen::Vector4f& plane, const PointLabels& ground,
                       const Eigen::Vector2f& ahead, const RoadOptions& options,
                       RoadScratch& scratch) {
  const std::size_t count = gather(points, own, plane, ground, scratch);
  level_ = level_of(scratch.sums, count, scratch.occupied);
  lay_out();
  fill(scratch);
  for (int column = 0; column < Grid::kColumns; ++column) {
    if (!used_[static_cast<std::size_t>(column)]) continue;
    const auto begin = scratch.sums.begin() + std::ptrdiff_t{column} * Grid::kRings;
    std::fill(begin, begin + Grid::kRings, RoadScratch::Sum{});
  }
  close_gaps();
  link(options);
  find_seeds(ahead, options);
  judged_ = false;
}

/// Sums over the finest cells; returns the number of points in them.
std::size_t RoadCells::gather(const PointRows& points, std::span<const std::uint32_t> own,
                              const Eigen::Vector4f& plane, const PointLabels& ground,
                              RoadScratch& scratch) {
  const std::size_t padded = (own.size() + 7) / 8 * 8;
  places_.resize(padded);
  heights_m_.resize(padded);
  bool elevation = false;
  const FloatRows& rows = points.floats();
  if (!own.empty()) {
    kernels_.place(rows, own.data(), own.size(), plane.data(), kGrid, places_.data(),
                   heights_m_.data(), &elevation);
  }
  used_.fill(false);
  std::size_t count = 0;
  for (std::size_t k = 0; k < own.size(); ++k) {
    const int place = places_[k];
    if (place == Grid::kCells || ground.road[own[k]] == 0) continue;
    RoadScratch::Sum& sum = scratch.sums[static_cast<std::size_t>(place)];
    const float height_m = heights_m_[k];
    sum.points += 1;
    sum.height_m += height_m;
    sum.square_m2 += height_m * height_m;
    used_[static_cast<std::size_t>(place / Grid::kRings)] = true;
    ++count;
    if (!rows.four) continue;
    const float value = rows.first[static_cast<std::ptrdiff_t>(own[k]) * rows.stride + 3];
    if (!std::isfinite(value)) continue;
    sum.reflectance += value;
    sum.reflecting += 1;
  }
  return count;
}

int RoadCells::level_of(std::span<const RoadScratch::Sum> sums, std::size_t points,
                        std::vector<std::uint8_t>& occupied) const {
  for (int level = 0; level < Grid::kCoarsest; ++level) {
    constexpr int kRings = Grid::kRings;
    occupied.assign(Grid::kCells, 0);
    std::size_t cells = 0;
    for (int column = 0; column < Grid::kColumns; ++column) {
      if (!used_[static_cast<std::size_t>(column)]) continue;
      for (int ring = Grid::kFirstRing; ring < kRings; ++ring) {
        if (sums[static_cast<std::size_t>(column * kRings + ring)].points == 0) continue;
        const int coarse = (column >> level) * kRings + (ring >> level);
        std::uint8_t& is = occupied[static_cast<std::size_t>(coarse)];
        cells += is == 0 ? 1 : 0;
        is = 1;
      }
    }
    if (points >= kPointsOfCell * cells) return level;
  }
  return Grid::kCoarsest;
}

/// Columns begin behind the widest gap; where there is none, behind the vehicle.
void RoadCells::lay_out() {
  const int all = columns_of_level();
  const auto used = [&](int column) {
    const int first = (column % all) << level_;
    return std::any_of(used_.begin() + first, used_.begin() + first + (1 << level_),
                       [](bool each) { return each; });
  };
  int widest = 0, width = 0;
  first_column_ = all / 2;
  for (int column = 0; column < 2 * all && width < all; ++column) {
    width = used(column) ? 0 : width + 1;
    if (width <= widest) continue;
    widest = width;
    first_column_ = (column + 1) % all;
  }
  columns_ = all - widest;
  first_row_ = Grid::kFirstRing >> level_;
  rows_ = columns_ == 0 ? 0 : (Grid::kRings >> level_) - first_row_;
  cells_.assign(static_cast<std::size_t>(rows_ * columns_), Cell{});
  row_.resize(static_cast<std::size_t>(rows_));
  for (int row = 0; row < rows_; ++row) {
    const int ring = (first_row_ + row) << level_;
    const float range_m = Grid::centre_m(ring, 1 << level_);
    const float length_m = Grid::begin_m(ring + (1 << level_)) - Grid::begin_m(ring);
    row_[static_cast<std::size_t>(row)] = {range_m, range_m * Grid::column_rad(level_) * length_m,
                                           curve_place(range_m)};
  }
}

RoadScratch::Sum RoadCells::sum_of(int row, int column, const RoadScratch& scratch) const {
  const int first = ((first_column_ + column) % columns_of_level()) << level_;
  const int begin = std::max((first_row_ + row) << level_, Grid::kFirstRing);
  RoadScratch::Sum sum;
  for (int c = first; c < first + (1 << level_); ++c) {
    for (int r = begin; r < (first_row_ + row + 1) << level_; ++r) {
      const auto& part = scratch.sums[static_cast<std::size_t>(c * Grid::kRings + r)];
      sum.points += part.points;
      sum.height_m += part.height_m;
      sum.square_m2 += part.square_m2;
      sum.reflectance += part.reflectance;
      sum.reflecting += part.reflecting;
    }
  }
  return sum;
}

/// Means of the cells' points.
void RoadCells::fill(const RoadScratch& scratch) {
  constexpr float kEnough = 3;  // points to know their deviation by
  for (int row = 0; row < rows_; ++row) {
    for (int column = 0; column < columns_; ++column) {
      const RoadScratch::Sum sum = sum_of(row, column, scratch);
      if (sum.points == 0) continue;
      Cell& cell = at(row, column);
      cell.seen = true;
      cell.source = row;
      cell.height_m = cell.off_m = sum.height_m / sum.points;
      cell.reflectance = sum.reflectance / std::max(sum.reflecting, 1.0F);
      // In wider cells slopes spread the points, too.
      if (level_ > 0 || sum.points < kEnough) continue;
      const float squares = sum.square_m2 - cell.height_m * sum.height_m;
      cell.roughness = std::sqrt(std::sqrt(std::max(0.0F, squares) / (sum.points - 1)));
    }
  }
}

/// What lies between two rows of lasers is as the nearer one.
void RoadCells::close_gaps() {
  const int gap = (kGap + (1 << level_) - 1) >> level_;
  for (int column = 0; column < columns_; ++column) {
    int last = -1;
    for (int row = 0; row < rows_; ++row) {
      if (!at(row, column).seen) continue;
      for (int k = last + 1; last >= 0 && row - last - 1 <= gap && k < row; ++k) {
        const int source = k - last <= row - k ? last : row;
        at(k, column) = at(source, column);
        at(k, column).source = source;
        at(k, column).seen = false;
      }
      last = row;
    }
  }
}

Eigen::Vector2f RoadCells::position(int row, int column) const {
  const float azimuth =
      (static_cast<float>(first_column_ + column) + 0.5F) * Grid::column_rad(level_);
  return row_[static_cast<std::size_t>(row)].range_m *
         Eigen::Vector2f(std::cos(azimuth), std::sin(azimuth));
}

/// A step is also sought between pairs of columns: a kerb may take two.
void RoadCells::link(const RoadOptions& options) {
  const float turn = Grid::column_rad(level_);
  const auto range_m = [&](const Cell& cell) {
    return row_[static_cast<std::size_t>(cell.source)].range_m;
  };
  for (int row = 0; row < rows_; ++row) {
    for (int column = 0; column < columns_; ++column) {
      Cell& cell = at(row, column);
      if (cell.source < 0) continue;
      const float here_m = range_m(cell);
      if (column + 1 < columns_ && at(row, column + 1).source >= 0) {
        const Cell& next = at(row, column + 1);
        const float there_m = range_m(next);
        float step_m = step_of(next.height_m - cell.height_m,
                               length(there_m - here_m, turn * (here_m + there_m) / 2), options);
        if (column > 0 && column + 2 < columns_ && at(row, column - 1).source >= 0 &&
            at(row, column + 2).source >= 0) {
          const Cell& before = at(row, column - 1);
          const Cell& beyond = at(row, column + 2);
          const float rise_m =
              (next.height_m + beyond.height_m - cell.height_m - before.height_m) / 2;
          const float out_m = (there_m + range_m(beyond) - here_m - range_m(before)) / 2;
          step_m =
              std::max(step_m, step_of(rise_m, length(out_m, turn * (here_m + there_m)), options));
        }
        cell.across = link_across(step_m, options);
      }
      if (row + 1 < rows_ && at(row + 1, column).source >= 0) {
        const Cell& next = at(row + 1, column);
        cell.along = link_across(
            step_of(next.height_m - cell.height_m, range_m(next) - here_m, options), options);
      }
    }
  }
}

void RoadCells::find_seeds(const Eigen::Vector2f& ahead, const RoadOptions& options) {
  if (ahead.isZero()) return;
  for (int row = 0; row < rows_; ++row) {
    if (row_[static_cast<std::size_t>(row)].range_m > 2 * options.seed_length_m) break;
    for (int column = 0; column < columns_; ++column) {
      Cell& cell = at(row, column);
      if (cell.source < 0) continue;
      const Eigen::Vector2f place = position(cell.source, column);
      const float along_m = place.dot(ahead);
      const float beside_m = std::abs(place.x() * ahead.y() - place.y() * ahead.x());
      cell.seed = along_m > 0 && along_m < options.seed_length_m &&
                  beside_m < options.seed_half_width_m &&
                  std::abs(cell.height_m) < options.seed_height_m;
    }
  }
}

RoadSums RoadCells::sums(const RoadOptions& options) const {
  constexpr float kNearM = 8;
  constexpr float kAreaWithinM = 50;
  constexpr float kOtherWithinM = 0.5F;  // what lies higher or lower tells nothing about kerbs
  RoadSums sums;
  for (int row = 0; row < rows_; ++row) {
    const Row& its = row_[static_cast<std::size_t>(row)];
    double area_m2 = 0;
    for (int column = 0; column < columns_; ++column) {
      const Cell& cell = at(row, column);
      if (cell.source < 0) continue;
      if (cell.road > 0.5F && its.range_m < kAreaWithinM) area_m2 += its.area_m2;
      if (!cell.seen) continue;
      const float road = std::max(0.0F, 2 * cell.road - 1);
      const bool level = std::abs(cell.height_m) < kOtherWithinM;
      const float other = level ? std::max(0.0F, 1 - 2 * cell.road) : 0;
      sums.add_off(cell.off_m / options.widening(its.range_m), road);
      sums.add(RoadCue::reflectance, its.place, cell.reflectance, road, other);
      if (cell.roughness >= 0) {
        sums.add(RoadCue::roughness, its.place, cell.roughness, road, other);
      }
      if (its.range_m < kNearM) sums.add_near(road, other);
    }
    sums.add_area(area_m2);
  }
  return sums;
}

void RoadCells::judge(const RoadKnowledge& known, bool last, const RoadOptions& options,
                      RoadScratch& scratch) {
  for (int row = 0; row < rows_; ++row) {
    for (int column = 0; column < columns_; ++column) {
      Cell& cell = at(row, column);
      if (!cell.seen) continue;
      const CurvePlace& place = row_[static_cast<std::size_t>(row)].place;
      cell.odds = known.reflectance.odds(place, cell.reflectance);
      if (cell.roughness >= 0) cell.odds += known.roughness.odds(place, cell.roughness);
      cell.odds *= options.learnt;
    }
  }
  follow_profile(!judged_, options);
  walk(last ? 0 : 1, known.height_m, options, scratch);
  judged_ = true;
}

void RoadCells::label(std::span<const std::uint32_t> own, RoadScratch& scratch,
                      PointLabels& labels) const {
  std::vector<std::uint8_t>& is_road = scratch.road;
  for (int c = 0; c < columns_ << level_; ++c) {
    const int fine = ((first_column_ << level_) + c) % Grid::kColumns;
    for (int ring = 0; ring < Grid::kRings; ++ring) {
      const int row = (ring >> level_) - first_row_;
      const bool road = ring >= Grid::kFirstRing && row < rows_ && at(row, c >> level_).road > 0.5F;
      is_road[static_cast<std::size_t>(fine * Grid::kRings + ring)] = road ? 1 : 0;
    }
  }
  for (std::size_t k = 0; k < own.size(); ++k) {
    labels.road[own[k]] &= is_road[places_[k]];
  }
}

}  // namespace roadplane
