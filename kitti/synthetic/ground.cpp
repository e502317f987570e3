#include "ground.hpp"

#include <algorithm>
#include <cmath>

namespace roadplane::kitti::synthetic {
namespace {

constexpr double kLoweredKerbM = 0.02;  // for a driveway
constexpr double kDrivewayPeriodM = 20;
constexpr double kDrivewayLengthM = 4;
constexpr double kDrivewayStartM[] = {15, 5};  // to the right, to the left
constexpr double kKerbBatterM = 0.02;  // a kerb leans a little, so that height is a function of y
constexpr double kKerbStoneM = 0.16;
constexpr double kEdgeM = 400;         // where the ground ends
constexpr double kTerrainRise = 0.02;  // gardens rise away from the street
constexpr double kLaneWidthM = 3.3;
constexpr double kLineWidthM = 0.13;
constexpr double kLeastStepM = 0.01;  // of a ray that looks for a hill
constexpr int kHalvings = 40;         // of its last step, down to rounding

const Colour kStoneColour(0.42F, 0.41F, 0.39F);
const Look kGrass{Material::grass, 72, Colour(0.10F, 0.16F, 0.045F), 0};

double position_in_period(double x, double period) { return x - period * std::floor(x / period); }

bool dash(double x) { return position_in_period(x, 7.5) < 3; }

}  // namespace

Relief::Relief(const Hills& hills, const Bumps& bumps, double street_x, double lane_y)
    : hills_(hills),
      bumps_(bumps),
      street_x_(street_x),
      lane_y_(lane_y),
      here_(hills.at(street_x, lane_y)) {}

Height Relief::at(double x, double y) const {
  if (flat()) return {};
  const Height hill = hills_.at(x + street_x_, y);
  const Height bump = bumps_.at(x + street_x_, y);
  const double tangent = here_.z_m + here_.ahead * x + here_.left * (y - lane_y_);
  return {hill.z_m - tangent + bump.z_m, hill.ahead - here_.ahead + bump.ahead,
          hill.left - here_.left + bump.left};
}

bool on_driveway(double x, bool left) {
  return position_in_period(x - kDrivewayStartM[left ? 1 : 0], kDrivewayPeriodM) < kDrivewayLengthM;
}

Ground::Ground(const StreetLayout& layout, const SceneOptions& options, double street_x,
               double lane_y)
    : layout_(layout),
      relief_(Hills(options), Bumps(options.bump_height_m, layout.half_width_m), street_x, lane_y),
      street_x_(street_x),
      verge_m_(options.verge_width_m),
      driveways_(options.driveways),
      vertices_(section(layout, options, options.kerb_height_m)),
      lowered_(section(layout, options, std::min(kLoweredKerbM, options.kerb_height_m))) {}

Ground::Section Ground::section(const StreetLayout& layout, const SceneOptions& options,
                                double kerb_height_m) {
  const bool raised = layout.platform_width_m > 0;
  const double sidewalk_m = kSidewalkWidthM + options.verge_width_m;
  const double right_height = raised ? layout.platform_height_m : kerb_height_m;
  const double right_width = raised ? layout.platform_width_m : sidewalk_m;
  const double fall = raised ? 0 : 0.015;  // a sidewalk drains to the kerb, the platform is level
  const auto side = [&](double sign, double height, double width, double slope, double inland) {
    const double kerb = layout.half_width_m;
    const double stone = kerb + kKerbBatterM + kKerbStoneM;
    const double garden = kerb + width;
    const double top = inland + slope * (garden - stone);
    return std::array<Vertex, 5>{{{sign * kerb, 0},
                                  {sign * (kerb + kKerbBatterM), height},
                                  {sign * stone, height},
                                  {sign * garden, top},
                                  {sign * kEdgeM, top + kTerrainRise * (kEdgeM - garden)}}};
  };
  // A driveway leads up to the height that gardens have all along the street.
  const double inland_m = options.kerb_height_m;
  const auto right = side(-1, right_height, right_width, fall, raised ? right_height : inland_m);
  const auto left = side(1, kerb_height_m, sidewalk_m, 0.015, inland_m);
  Section vertices;
  std::reverse_copy(right.begin(), right.end(), vertices.begin());
  std::copy(left.begin(), left.end(), vertices.begin() + 5);
  return vertices;
}

bool Ground::lowered(double x, int piece) const {
  const bool raised = layout_.platform_width_m > 0 && piece < kRoad;
  return driveways_ && piece != kRoad && !raised && on_driveway(x, piece > kRoad);
}

double Ground::rise(const Section& section, int piece) {
  const Vertex& a = section[static_cast<std::size_t>(piece)];
  const Vertex& b = section[static_cast<std::size_t>(piece) + 1];
  return (b.z - a.z) / (b.y - a.y);
}

double Ground::section_m(double y) const {
  int piece = 0;
  while (piece + 1 < kPieces && y > vertices_[static_cast<std::size_t>(piece) + 1].y) ++piece;
  const Vertex& a = vertices_[static_cast<std::size_t>(piece)];
  return a.z + rise(vertices_, piece) * (y - a.y);
}

/// Where the ray first goes below the piece; it is above it at `from`.
std::optional<double> Ground::crossing(const Section& section, const Ray& ray, int piece,
                                       double from, double to) const {
  const Vertex& a = section[static_cast<std::size_t>(piece)];
  const double slope = piece == kRoad ? 0 : rise(section, piece);
  if (relief_.flat()) {
    const double above = ray.origin.z() - a.z - slope * (ray.origin.y() - a.y);
    const double rate = ray.direction.z() - slope * ray.direction.y();
    return above + rate * to <= 0 && rate < 0 ? std::optional(-above / rate) : std::nullopt;
  }
  const auto above = [&](double at) {
    const Vec3 p = ray.at(at);
    return p.z() - a.z - slope * (p.y() - a.y) - relief_.at(p.x(), p.y()).z_m;
  };
  // A ray cannot come down faster than this, so it can go that far without looking. What it would
  // have to dip into and leave within the least step is too small to be seen.
  const double fastest = std::max(0.0, slope * ray.direction.y() - ray.direction.z()) +
                         relief_.steepest() * ray.direction.head<2>().norm();
  double low = from;
  for (double height = above(low); height > 0 && low < to;) {
    double high = std::min(to, low + height / fastest + kLeastStepM);
    height = above(high);
    if (height > 0) {
      low = high;
      continue;
    }
    for (int k = 0; k < kHalvings; ++k)
      (above((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
  }
  return low < to ? std::optional(low) : std::nullopt;
}

bool Ground::intersect(const Ray& ray, double limit, double& t, int& piece) const {
  if (!intersect(vertices_, ray, limit, t, piece)) return false;
  if (!lowered(ray.at(t).x() + street_x_, piece)) return true;
  double below_t = 0;
  int below = 0;
  if (intersect(lowered_, ray, limit, below_t, below) &&
      lowered(ray.at(below_t).x() + street_x_, below)) {
    t = below_t, piece = below;
  }
  return true;  // or on the driveway's side
}

bool Ground::intersect(const Section& section, const Ray& ray, double limit, double& t,
                       int& piece) const {
  const double oy = ray.origin.y();
  const double dy = ray.direction.y();
  int at = 0;
  while (at + 1 < kPieces && oy > section[static_cast<std::size_t>(at) + 1].y) ++at;
  // Walk outwards, piece by piece; the ray starts above the ground, so the first piece that it goes
  // below of is the one that it hits.
  double begin = 0;
  for (; at >= 0 && at<kPieces; at += dy> 0 ? 1 : -1) {
    const Vertex& a = section[static_cast<std::size_t>(at)];
    const Vertex& b = section[static_cast<std::size_t>(at) + 1];
    double end = limit;
    if (dy != 0) end = std::min(end, ((dy > 0 ? b.y : a.y) - oy) / dy);
    if (const auto found = crossing(section, ray, at, begin, end)) {
      t = *found;
      piece = at;
      return t > 0 && t < limit;
    }
    if (end >= limit) return false;
    begin = end;
  }
  return false;
}

Vec3 Ground::normal(double x, double y, int piece) const {
  const Height relief = relief_.at(x, y);
  const Section& section = lowered(x + street_x_, piece) ? lowered_ : vertices_;
  return Vec3(-relief.ahead, -rise(section, piece) - relief.left, 1).normalized();
}

bool Ground::painted(double x, double y) const {
  const double across = std::abs(y);
  const double edge = layout_.carriageway_m();
  if (across > edge + kLineWidthM / 2) return false;
  const double along = position_in_period(x - kCrosswalkStartM, kCrosswalkPeriodM);
  if (along < kCrosswalkLengthM) return position_in_period(y, 1.0) < 0.5;
  const double stop_line = along - kCrosswalkPeriodM;  // a bar before the crossing, on its right
  if (stop_line > -1.6 && stop_line < -1.2 && y < 0) return true;
  if (across > edge - kLineWidthM / 2) return true;
  const double lane = std::round(across / kLaneWidthM) * kLaneWidthM;
  return edge - lane > 2.5 && std::abs(across - lane) < kLineWidthM / 2 && dash(x);
}

bool Ground::on_verge(double y) const {
  const double stone = layout_.half_width_m + kKerbBatterM + kKerbStoneM;
  return verge_m_ > 0 && std::abs(y) < stone + verge_m_;
}

Look Ground::look(double x, double y, int piece) const {
  const bool raised = layout_.platform_width_m > 0 && piece < kRoad;
  const bool driveway = lowered(x, piece);
  switch (std::abs(piece - kRoad)) {
    case 0:
      if (painted(x, y)) return {Material::paint, 60, Colour(0.78F, 0.78F, 0.75F), 0};
      if (std::abs(y) > layout_.carriageway_m()) {
        return {Material::parking, 44, Colour(0.23F, 0.22F, 0.21F), 0};
      }
      return {Material::asphalt, 40, Colour(0.155F, 0.155F, 0.16F), 0};
    case 1:
      // SemanticKITTI counts small walls as fence, so that the second plane is a plane.
      return {Material::kerb, static_cast<std::uint16_t>(raised ? 51 : 48), kStoneColour, 0};
    case 2:
      return {Material::kerb, static_cast<std::uint16_t>(raised ? 49 : 48), kStoneColour, 0};
    case 3:
      if (raised) return {Material::platform, 49, Colour(0.36F, 0.31F, 0.27F), 0};
      if (on_verge(y) && !driveway) return kGrass;
      return {Material::paving, 48, Colour(0.33F, 0.32F, 0.30F), 0};
    default:
      if (driveway) return {Material::paving, 49, Colour(0.30F, 0.28F, 0.27F), 0};
      return kGrass;
  }
}

}  // namespace roadplane::kitti::synthetic
