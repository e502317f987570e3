#include "roadplane/ground/road_edges.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

namespace roadplane {
namespace {

using Eigen::Vector2d;

constexpr double kReachM = 60;       // [m] along the road
constexpr double kStationM = 1;      // [m] between cross-sections
constexpr double kAcrossM = 20;      // [m] no border farther from the middle
constexpr double kStepM = 0.1;       // [m] across
constexpr double kHoleM = 0.4;       // [m] what is shorter and not road is no border
constexpr double kLongestGapM = 10;  // [m] along the road without road
constexpr double kDriftM = 0.5;      // [m] that the middle moves from station to station
constexpr double kWindowM = 2;       // [m] of stations that a width is of
constexpr int kDirections = 128;

/// One way across the road from its middle.
struct Border {
  double across_m = 0;
  Sight beyond = Sight::unseen;
};

struct Station {
  double along_m = 0;
  Border left, right;
  double middle_m() const { return (left.across_m + right.across_m) / 2; }
  bool seen() const { return left.beyond == Sight::other && right.beyond == Sight::other; }
};

/// A straight line through the map.
struct Line {
  const RoadMap& map;
  Vector2d from;
  Vector2d ahead;
  bool on_road;  ///< the sensor is

  Vector2d place(double along_m, double across_m) const {
    return from + along_m * ahead + across_m * Vector2d(-ahead.y(), ahead.x());
  }
  /// A vehicle on the road has road below it.
  bool is_road(double along_m, double across_m) const {
    const Vector2d at = place(along_m, across_m);
    return map.at_or_below_vehicle(at) == Sight::road || (on_road && map.below_vehicle(at));
  }
  /// What lies beside the road: ground or what stands there, if one of them does within a metre.
  Sight beyond(double along_m, double across_m, double side) const {
    Sight found = Sight::unseen;
    if (map.below_vehicle(place(along_m, across_m))) return found;  // it may end below the vehicle
    for (double out_m = kStepM; out_m < 1; out_m += kStepM) {
      const Sight sight = map.at_or_below_vehicle(place(along_m, across_m + side * out_m));
      if (sight == Sight::other || sight == Sight::standing) return sight;
      if (sight == Sight::hidden) found = sight;
    }
    return found;
  }
  Border border(double along_m, double middle_m, double side) const {
    double last_m = middle_m;
    for (double out_m = 0; out_m <= kAcrossM; out_m += kStepM) {
      const double across_m = middle_m + side * out_m;
      if (is_road(along_m, across_m)) {
        last_m = across_m;
      } else if (std::abs(across_m - last_m) > kHoleM) {
        return {last_m + side * kStepM / 2, beyond(along_m, last_m, side)};
      }
    }
    return {last_m, Sight::unseen};
  }
  Station station(double along_m, double middle_m) const {
    return {along_m, border(along_m, middle_m, 1), border(along_m, middle_m, -1)};
  }
};

/// [m] of road from a place on, holes of a metre aside.
double reach_m(const RoadMap& map, const Vector2d& from, const Vector2d& ahead) {
  constexpr double kStep = 0.25, kLongestHole = 1;
  double last_m = 0;
  for (double away_m = 0; away_m < kReachM; away_m += kStep) {
    if (map.at_or_below_vehicle(from + away_m * ahead) == Sight::road) last_m = away_m;
    if (away_m - last_m > kLongestHole) break;
  }
  return last_m;
}

/// The sensor's foot, or the nearest road: a little within it.
std::optional<Vector2d> place_on_road(const RoadMap& map) {
  constexpr double kRingM = 0.5, kWithinM = 40, kLeastReachM = 3;
  for (double range_m = 0; range_m < kWithinM; range_m += kRingM) {
    std::optional<Vector2d> best;
    double most_m = kLeastReachM;
    for (int k = 0; k < kDirections; ++k) {
      const double azimuth = 2 * std::numbers::pi * k / kDirections;
      const Vector2d out(std::cos(azimuth), std::sin(azimuth));
      if (map.at_or_below_vehicle(range_m * out) != Sight::road) continue;
      const double reach = reach_m(map, range_m * out, out);
      if (reach > most_m) most_m = reach, best = (range_m + (range_m > 0 ? 1 : 0)) * out;
    }
    if (best) return best;
  }
  return std::nullopt;
}

/// Along the road: where it reaches far counts most, whichever of its two ways that is.
Vector2d direction_of(const RoadMap& map, const Vector2d& from) {
  std::complex<double> moment;
  std::array<double, kDirections> reach{};
  for (int k = 0; k < kDirections; ++k) {
    const double azimuth = 2 * std::numbers::pi * k / kDirections;
    reach[static_cast<std::size_t>(k)] = reach_m(map, from, {std::cos(azimuth), std::sin(azimuth)});
    moment += std::pow(reach[static_cast<std::size_t>(k)], 3) * std::polar(1.0, 2 * azimuth);
  }
  const double azimuth = std::arg(moment) / 2;
  const Vector2d along(std::cos(azimuth), std::sin(azimuth));
  const double forward_m = reach_m(map, from, along), back_m = reach_m(map, from, -along);
  if (std::min(forward_m, back_m) < 0.1 * std::max(forward_m, back_m)) {
    return forward_m > back_m ? along : Vector2d(-along);
  }
  // A way that neither x nor y turns into the other's opposite by a little noise.
  return along.dot(Vector2d(std::cos(std::numbers::pi / 6), 0.5)) < 0 ? Vector2d(-along) : along;
}

/// Where the road's middle is next, given where it was; nothing where no road is seen near it.
std::optional<double> next_middle(const Line& line, double along_m, double middle_m) {
  constexpr double kAsideM = 1.5, kSearchM = 0.25;
  for (double away_m = 0; away_m <= kAsideM; away_m += kSearchM) {
    for (const double side : {1.0, -1.0}) {
      if (line.is_road(along_m, middle_m + side * away_m)) return middle_m + side * away_m;
    }
  }
  return std::nullopt;
}

void follow(const Line& line, double way, std::vector<Station>& stations) {
  double middle_m = 0, last_m = 0;
  for (double away_m = way > 0 ? 0 : kStationM; away_m <= kReachM; away_m += kStationM) {
    if (away_m - last_m > kLongestGapM) return;
    const auto found = next_middle(line, way * away_m, middle_m);
    if (!found) continue;
    stations.push_back(line.station(way * away_m, *found));
    last_m = away_m;
    middle_m = *found;
    const Station& here = stations.back();
    if (here.seen()) middle_m += std::clamp(here.middle_m() - middle_m, -kDriftM, kDriftM);
  }
}

std::vector<Station> stations_along(const Line& line) {
  std::vector<Station> behind, stations;
  follow(line, -1, behind);
  stations.assign(behind.rbegin(), behind.rend());
  follow(line, 1, stations);
  return stations;
}

/// The line turned the way that the middle of the road goes near the sensor.
Line straightened(const Line& line, std::span<const Station> stations) {
  constexpr double kNearM = 20, kMostSlope = 0.5;
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const Station& s : stations) {
    if (!s.seen() || std::abs(s.along_m) > kNearM) continue;
    n += 1, x += s.along_m, y += s.middle_m();
    xx += s.along_m * s.along_m, xy += s.along_m * s.middle_m();
  }
  const double spread = n * xx - x * x;
  if (n < 5 || spread <= 0) return line;
  const double slope = std::clamp((n * xy - x * y) / spread, -kMostSlope, kMostSlope);
  const Vector2d ahead = line.place(1, slope) - line.place(0, 0);
  return {line.map, line.from, ahead.normalized(), line.on_road};
}

std::optional<RoadWidth> width_at(const Line& line, std::span<const Station> stations,
                                  double at_m) {
  constexpr std::size_t kLeast = 3;
  std::vector<const Station*> near;
  for (const Station& s : stations) {
    if (s.seen() && std::abs(s.along_m - at_m) <= kWindowM) near.push_back(&s);
  }
  if (near.size() < kLeast) return std::nullopt;
  const double turn = std::atan2(near.back()->middle_m() - near.front()->middle_m(),
                                 near.back()->along_m - near.front()->along_m);
  std::vector<double> widths;
  for (const Station* s : near) {
    widths.push_back(std::cos(turn) * (s->left.across_m - s->right.across_m));
  }
  std::sort(widths.begin(), widths.end());
  double mean_m = 0, square = 0;
  for (const double width : widths) mean_m += width / static_cast<double>(widths.size());
  for (const double width : widths) square += (width - mean_m) * (width - mean_m);
  const double told_apart_m = line.map.sector_rad() * line.place(at_m, 0).norm();
  const double variance = square / static_cast<double>(widths.size() - 1) +
                          (told_apart_m * told_apart_m + kStepM * kStepM) / 6;
  return RoadWidth{at_m, widths[widths.size() / 2], std::sqrt(variance)};
}

}  // namespace

RoadEdges find_edges(const RoadMap& map) {
  RoadEdges edges;
  const auto from = place_on_road(map);
  if (!from) return edges;
  Line line{map, *from, direction_of(map, *from), from->isZero()};
  const Line turned = straightened(line, stations_along(line));
  const double along_m = -turned.from.dot(turned.ahead);  // stations are counted from the sensor
  line.ahead = turned.ahead;
  line.from = turned.from + along_m * turned.ahead;
  const std::vector<Station> stations = stations_along(line);

  const GroundFrame& frame = map.frame();
  const auto point = [&](const Station& station, const Border& border) {
    const Vector2d place = line.place(station.along_m, border.across_m);
    const Eigen::Vector3d at(place.x(), place.y(), map.height_m(place));
    return BorderPoint{frame.to_sensor(at), border.beyond};
  };
  const Eigen::Vector3d origin = frame.to_sensor(Eigen::Vector3d::Zero());
  edges.ahead = frame.to_sensor({line.ahead.x(), line.ahead.y(), 0}) - origin;
  for (const Station& station : stations) {
    edges.left.push_back(point(station, station.left));
    edges.right.push_back(point(station, station.right));
  }
  for (const double at_m : RoadEdges::kWidthsAtM) {
    if (const auto width = width_at(line, stations, at_m)) edges.widths.push_back(*width);
  }
  return edges;
}

std::vector<Eigen::Vector3d> RoadEdges::area() const {
  std::vector<Eigen::Vector3d> corners;
  for (const BorderPoint& point : right) corners.push_back(point.at);
  for (auto point = left.rbegin(); point != left.rend(); ++point) corners.push_back(point->at);
  return corners;
}

double area_m2(std::span<const Eigen::Vector3d> corners) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (std::size_t k = 0; k < corners.size(); ++k) {
    sum += corners[k].cross(corners[(k + 1) % corners.size()]);
  }
  return sum.norm() / 2;
}

}  // namespace roadplane
