#include "roadplane/ground/road_map.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "road_grid.hpp"

namespace roadplane {
namespace {

constexpr int kRings = RoadGrid::kRings;
constexpr int kFirstRing = RoadGrid::kFirstRing;
constexpr int kFinestSectors = 1024;
constexpr int kCoarsestSectors = 256;
constexpr double kPointsOfCell = 2;     // at least, of road, on average: else sectors are wider
constexpr int kHole = 2;                // sectors without a point between two that have some
constexpr double kStandingM = 0.3;      // [m] above the ground: what is higher stands on it
constexpr float kHangingM = 1.5F;       // [m] above the plane: what is higher may hang over ground
constexpr double kOwnM = 3;             // [m] what stands nearer is the vehicle itself
constexpr double kGroundSlope = 0.1;    // [m/m] by which ground may rise and not stand
constexpr double kRowsApartRad = 0.04;  // [rad] between two rows of lasers, at most

static_assert(RoadGrid::kRingsPerOctave == 16);

/// -1 beyond the grid. A float's exponent and the first four bits of its mantissa are the ring.
int ring_of(float range_m) {
  if (!(range_m < RoadGrid::kReachM)) return -1;
  const auto bits = std::bit_cast<std::uint32_t>(range_m / RoadGrid::kInnerM + 1);
  return std::min(kRings - 1, static_cast<int>(bits >> 19) - 127 * 16);
}

Eigen::Matrix3d axes_of(const Eigen::Vector3d& up) {
  const bool upright = std::abs(up.x()) < 0.9;
  const Eigen::Vector3d ahead = upright ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
  Eigen::Matrix3d axes;
  axes.row(0) = (ahead - up.dot(ahead) * up).normalized().transpose();
  axes.row(2) = up.transpose();
  axes.row(1) = up.cross(Eigen::Vector3d(axes.row(0).transpose())).transpose();
  return axes;
}

}  // namespace

std::string_view to_string(Sight sight) {
  constexpr std::array<std::string_view, 5> kNames{"unseen", "hidden", "standing", "other", "road"};
  return kNames[static_cast<std::size_t>(sight)];
}

GroundFrame::GroundFrame(const Eigen::Vector4d& hyperplane) {
  const double sign = hyperplane(3) < 0 ? -1 : 1;  // the sensor is above the plane
  const double length = sign * hyperplane.head<3>().norm();
  axes_ = axes_of(hyperplane.head<3>() / length);
  foot_ = {0, 0, hyperplane(3) / length};
}

double RoadMap::sector_rad() const { return 2 * std::numbers::pi / sectors_; }

int RoadMap::sector_of(double azimuth_rad) const {
  const double turn = azimuth_rad / (2 * std::numbers::pi);
  const double part = turn - std::floor(turn);
  return std::min(sectors_ - 1, static_cast<int>(part * sectors_));
}

RoadMap::RoadMap(const PointRows& points, std::span<const std::uint8_t> road,
                 const Eigen::Vector4d& hyperplane)
    : frame_(hyperplane) {
  std::vector<Sum> sums = sum_up(points, road);
  close_gaps_across(sums);
  cells_.resize(sums.size());
  first_.assign(static_cast<std::size_t>(sectors_), -1);
  for (int sector = 0; sector < sectors_; ++sector) {
    see_sector(sector, std::span(sums).subspan(static_cast<std::size_t>(sector) * kRings, kRings));
  }
}

/// In as many sectors as the points fill.
std::vector<RoadMap::Sum> RoadMap::sum_up(const PointRows& points,
                                          std::span<const std::uint8_t> road) {
  sectors_ = kFinestSectors;
  std::vector<Sum> sums(static_cast<std::size_t>(sectors_) * kRings);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Point p = points[k];
    const Eigen::Vector3f at = frame_.from_sensor({p.x, p.y, p.z}).cast<float>();
    const int ring = ring_of(at.head<2>().norm());
    if (ring < kFirstRing) continue;
    const bool is_road = road[k] != 0;
    if (!is_road && !(at.z() < kHangingM)) continue;
    Sum& sum = sums[static_cast<std::size_t>(sector_of(std::atan2(at.y(), at.x()))) * kRings +
                    static_cast<std::size_t>(ring)];
    if (is_road) {
      sum.height_m += at.z();
      ++sum.road;
      continue;
    }
    sum.low_m = sum.other == 0 ? at.z() : std::min(sum.low_m, at.z());
    sum.high_m = sum.other == 0 ? at.z() : std::max(sum.high_m, at.z());
    ++sum.other;
  }
  const auto sparse = [&sums] {
    double labelled = 0, cells = 0;
    for (const Sum& sum : sums) {
      labelled += sum.road;
      cells += sum.road > 0 ? 1 : 0;
    }
    return labelled < kPointsOfCell * cells;
  };
  while (sectors_ > kCoarsestSectors && sparse()) {
    sectors_ /= 2;
    for (std::size_t k = 0; k < sums.size() / 2; ++k) {
      const std::size_t sector = k / kRings, ring = k % kRings;
      const Sum a = sums[2 * sector * kRings + ring], b = sums[(2 * sector + 1) * kRings + ring];
      Sum& both = sums[k];
      both = {a.road + b.road, a.other + b.other, a.height_m + b.height_m, a.low_m, a.high_m};
      if (b.other == 0) continue;
      both.low_m = a.other == 0 ? b.low_m : std::min(a.low_m, b.low_m);
      both.high_m = a.other == 0 ? b.high_m : std::max(a.high_m, b.high_m);
    }
    sums.resize(sums.size() / 2);
  }
  return sums;
}

/// A row of lasers misses some sectors; they are as the nearest one beside them.
void RoadMap::close_gaps_across(std::vector<Sum>& sums) const {
  const auto at = [&](int sector, int ring) -> Sum& {
    const int around = (sector + sectors_) % sectors_;
    return sums[static_cast<std::size_t>(around) * kRings + static_cast<std::size_t>(ring)];
  };
  for (int ring = kFirstRing; ring < kRings; ++ring) {
    int last = -1;
    for (int sector = 0; sector < sectors_ + kHole; ++sector) {
      if (at(sector, ring).empty()) continue;
      const int hole = last < 0 ? 0 : sector - last - 1;
      for (int k = last + 1; hole <= kHole && last >= 0 && k < sector; ++k) {
        at(k, ring) = at(k - last <= sector - k ? last : sector, ring);
      }
      last = sector;
    }
  }
}

/// What lies between two rings with points: as the nearer one if that is ground, unless something
/// hides it or the rows of lasers cannot be so far apart.
void RoadMap::fill_between(Cell* cells, int from, int to, bool stands) const {
  const auto range_m = [](int ring) { return RoadGrid::centre_m(ring, 1); };
  // Of scans whose origin is not the sensor, but near the ground, the sensor is higher.
  const double height_m = std::max<double>(frame_.height_m(), kHangingM);
  const double apart_rad = std::atan(height_m / range_m(from)) - std::atan(height_m / range_m(to));
  for (int ring = from + 1; ring < to; ++ring) {
    if (stands) {
      cells[ring].sight = Sight::hidden;
    } else if (apart_rad <= kRowsApartRad) {
      const bool far_is_ground = cells[to].sight != Sight::standing;
      cells[ring] = cells[far_is_ground && to - ring < ring - from ? to : from];
    }
  }
}

void RoadMap::see_sector(int sector, std::span<const Sum> sums) {
  Cell* cells = &cells_[static_cast<std::size_t>(sector) * kRings];
  double ground_m = 0, ground_at_m = 0;  // height of the last ground, and where it is
  int last = -1;
  bool stood = false;
  for (int ring = kFirstRing; ring < kRings; ++ring) {
    const Sum& sum = sums[static_cast<std::size_t>(ring)];
    if (sum.empty()) continue;
    const double range_m = RoadGrid::centre_m(ring, 1);
    const double most_m = kStandingM + kGroundSlope * (range_m - ground_at_m);
    Cell& cell = cells[ring];
    cell.share = static_cast<float>(sum.road) / static_cast<float>(sum.road + sum.other);
    if (sum.road > 0) {
      cell.height_m = sum.height_m / static_cast<float>(sum.road);
      ground_m = cell.height_m, ground_at_m = range_m;
    } else if (sum.low_m - ground_m < most_m) {
      ground_m = sum.low_m, ground_at_m = range_m;
    }
    const bool stands = sum.other > 0 && sum.high_m - ground_m > kStandingM;
    if (stands && sum.road == 0 && last < 0 && range_m < kOwnM) continue;
    cell.sight = cell.share >= 0.5F ? Sight::road : stands ? Sight::standing : Sight::other;
    if (last < 0) {
      first_[static_cast<std::size_t>(sector)] = ring;
    } else {
      fill_between(cells, last, ring, stood);
    }
    last = ring;
    stood = stands;
  }
  for (int ring = last + 1; stood && ring < kRings; ++ring) cells[ring].sight = Sight::hidden;
}

const RoadMap::Cell& RoadMap::cell_at(const Eigen::Vector2d& place) const {
  static constexpr Cell kBeyond{};
  const int ring = ring_of(static_cast<float>(place.norm()));
  if (ring < 0) return kBeyond;
  const int sector = sector_of(std::atan2(place.y(), place.x()));
  return cells_[static_cast<std::size_t>(sector) * kRings + static_cast<std::size_t>(ring)];
}

Sight RoadMap::at(const Eigen::Vector2d& place) const { return cell_at(place).sight; }

Sight RoadMap::at_or_below_vehicle(const Eigen::Vector2d& place) const {
  const int ring = ring_of(static_cast<float>(place.norm()));
  const auto sector = static_cast<std::size_t>(sector_of(std::atan2(place.y(), place.x())));
  if (ring < 0) return Sight::unseen;
  const int shown = std::max(ring, first_[sector]);
  return cells_[sector * kRings + static_cast<std::size_t>(shown)].sight;
}

bool RoadMap::below_vehicle(const Eigen::Vector2d& place) const {
  const int ring = ring_of(static_cast<float>(place.norm()));
  const auto sector = static_cast<std::size_t>(sector_of(std::atan2(place.y(), place.x())));
  return ring >= 0 && ring < first_[sector];
}

double RoadMap::road_share(const Eigen::Vector2d& place) const { return cell_at(place).share; }

double RoadMap::height_m(const Eigen::Vector2d& place) const {
  const auto sector = static_cast<std::size_t>(sector_of(std::atan2(place.y(), place.x())));
  const int found = ring_of(static_cast<float>(place.norm()));
  const int ring = found < 0 ? kRings - 1 : found;
  for (int away = 0; away < kRings; ++away) {
    for (const int k : {ring - away, ring + away}) {
      if (k < 0 || k >= kRings) continue;
      const Cell& cell = cells_[sector * kRings + static_cast<std::size_t>(k)];
      if (cell.sight == Sight::road) return cell.height_m;
    }
  }
  return 0;
}

std::vector<RoadMap::Stretch> RoadMap::stretches(double azimuth_rad) const {
  const Cell* cells = &cells_[static_cast<std::size_t>(sector_of(azimuth_rad)) * kRings];
  std::vector<Stretch> found;
  for (int ring = 0; ring < kRings; ++ring) {
    const Sight sight = cells[ring].sight;
    if (found.empty() || found.back().sight != sight) {
      found.push_back({RoadGrid::begin_m(ring), 0, sight});
    }
    found.back().to_m = RoadGrid::begin_m(ring + 1);
  }
  return found;
}

}  // namespace roadplane
