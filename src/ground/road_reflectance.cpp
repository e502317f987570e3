#include "road_reflectance.hpp"

#include <algorithm>
#include <cmath>

#include "road_grid.hpp"

namespace roadplane {
namespace {

/// A knot's own mean is drawn to that of all by so much of the road.
constexpr double kShare = 0.01;
/// Fewer cells of other ground do not say how that reflects.
constexpr double kEnoughOther = 50;
/// Where all reflectances are the same but for rounding, they say nothing.
constexpr double kLeastSpread = 1e-3;
constexpr float kMostOdds = 2;
constexpr float kMostDeviations = 3;

}  // namespace

CurvePlace curve_place(float range_m) {
  constexpr int kLast = RoadSums::kKnots - 1;
  const float octaves = std::log2(range_m / RoadGrid::kInnerM + 1);
  static const float all = std::log2(RoadGrid::kReachM / RoadGrid::kInnerM + 1);
  const float place =
      std::clamp(octaves / all * RoadSums::kKnots - 0.5F, 0.0F, static_cast<float>(kLast));
  const int knot = std::min(static_cast<int>(place), kLast - 1);
  return {knot, place - static_cast<float>(knot)};
}

void RoadSums::add(const CurvePlace& place, float reflectance, float road, float other) {
  const double value = reflectance;
  for (int k = 0; k < 2; ++k) {
    const double part = k == 0 ? 1 - place.beyond : place.beyond;
    double* at = &numbers_[static_cast<std::size_t>((place.knot + k) * 2 * kMoments)];
    const double r = part * road, o = part * other;
    at[0] += r, at[1] += r * value, at[2] += r * value * value;
    at[3] += o, at[4] += o * value, at[5] += o * value * value;
  }
}

RoadExtent RoadSums::extent(int agents) const {
  const double near = numbers_[kNear] + numbers_[kNear + 1];
  return {numbers_[kArea] * agents, near > 0 ? numbers_[kNear] / near : 1};
}

RoadReflectance::RoadReflectance(const RoadSums& sums, int agents, const RoadOptions& options) {
  double road = 0, road_sum = 0, others = 0;
  for (int k = 0; k < RoadSums::kKnots; ++k) {
    road += sums.moment(k, false, 0);
    road_sum += sums.moment(k, false, 1);
    others += sums.moment(k, true, 0);
  }
  if (road <= 0 || others * agents < kEnoughOther) return;
  const double mean = road_sum / road;
  double other_sum = 0, squares = 0;  // of reflectance less the road's
  for (int k = 0; k < RoadSums::kKnots; ++k) {
    const double curve = (sums.moment(k, false, 1) + kShare * road * mean) /
                         (sums.moment(k, false, 0) + kShare * road);
    curve_[static_cast<std::size_t>(k)] = static_cast<float>(curve);
    other_sum += sums.moment(k, true, 1) - curve * sums.moment(k, true, 0);
    for (const bool other : {false, true}) {
      squares += sums.moment(k, other, 2) - 2 * curve * sums.moment(k, other, 1) +
                 curve * curve * sums.moment(k, other, 0);
    }
  }
  const double difference = other_sum / others;
  const double variance = (squares - difference * difference * others) / (road + others);
  if (!(variance > kLeastSpread * kLeastSpread * mean * mean)) return;
  deviation_ = static_cast<float>(std::sqrt(variance));
  contrast_ = std::clamp(static_cast<float>(difference) / deviation_, -options.most_contrast,
                         options.most_contrast);
}

float RoadReflectance::odds(const CurvePlace& place, float reflectance) const {
  if (contrast_ == 0) return 0;
  const auto knot = static_cast<std::size_t>(place.knot);
  const float road = curve_[knot] + place.beyond * (curve_[knot + 1] - curve_[knot]);
  const float off =
      std::clamp((reflectance - road) / deviation_, -kMostDeviations, kMostDeviations);
  return std::clamp(contrast_ * (contrast_ / 2 - off), -kMostOdds, kMostOdds);
}

}  // namespace roadplane
