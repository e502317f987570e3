#include "road_sums.hpp"

#include <algorithm>
#include <cmath>

#include "road_grid.hpp"

namespace roadplane {
namespace {

/// A knot's own mean is drawn to that of all by so much of the road.
constexpr double kShare = 0.01;
/// Fewer cells of other ground do not say how that differs.
constexpr double kEnoughOther = 50;
/// Where all values are the same but for rounding, they say nothing.
constexpr double kLeastSpread = 1e-3;
/// A deviation from the middle between road and other ground says no more than so much: what is
/// twice as bright is not twice as surely other ground, it is marked or wet.
constexpr float kMostSlope = 1;
constexpr float kMostOdds = 2;

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

void RoadSums::add(RoadCue cue, const CurvePlace& place, float value, float road, float other) {
  double* at = &numbers_[static_cast<std::size_t>(cue) * kOfCue];
  for (int k = 0; k < 2; ++k) {
    const float part = k == 0 ? 1 - place.beyond : place.beyond;
    double* knot = at + place.knot + k;
    knot[0] += part * road;
    knot[kKnots] += static_cast<double>(part * road) * value;
    knot[2 * kKnots] += part * other;
    knot[3 * kKnots] += static_cast<double>(part * other) * value;
  }
  at[4 * kKnots] += static_cast<double>(road + other) * value * value;
}

RoadSums::OfCue RoadSums::of(RoadCue cue) const {
  const double* at = &numbers_[static_cast<std::size_t>(cue) * kOfCue];
  const auto knots = [&](int first) { return std::span<const double, kKnots>(at + first, kKnots); };
  return {knots(0), knots(kKnots), knots(2 * kKnots), knots(3 * kKnots), at[4 * kKnots]};
}

float RoadSums::off_m() const {
  if (numbers_[kOff] <= 0) return 0;
  return static_cast<float>(std::sqrt(std::max(0.0, numbers_[kOff + 1] / numbers_[kOff])));
}

RoadExtent RoadSums::extent(int agents) const {
  const double near = numbers_[kNear] + numbers_[kNear + 1];
  return {numbers_[kArea] * agents, near > 0 ? numbers_[kNear] / near : 1};
}

LearntCue::LearntCue(RoadCue cue, const RoadSums& sums, int agents) {
  const RoadSums::OfCue of = sums.of(cue);
  double road = 0, road_sum = 0, others = 0;
  for (std::size_t k = 0; k < RoadSums::kKnots; ++k) {
    road += of.road[k];
    road_sum += of.road_sum[k];
    others += of.other[k];
  }
  if (road <= 0 || others * agents < kEnoughOther) return;
  const double mean = road_sum / road;
  double other_sum = 0, squares = of.squares;  // of values less the road's
  for (std::size_t k = 0; k < RoadSums::kKnots; ++k) {
    const double curve = (of.road_sum[k] + kShare * road * mean) / (of.road[k] + kShare * road);
    curve_[k] = static_cast<float>(curve);
    other_sum += of.other_sum[k] - curve * of.other[k];
    squares +=
        curve * (curve * (of.road[k] + of.other[k]) - 2 * (of.road_sum[k] + of.other_sum[k]));
  }
  const double difference = other_sum / others;
  const double variance = (squares - difference * difference * others) / (road + others);
  if (!(variance > kLeastSpread * kLeastSpread * mean * mean)) return;
  deviation_ = static_cast<float>(std::sqrt(variance));
  contrast_ = static_cast<float>(difference) / deviation_;
}

float LearntCue::odds(const CurvePlace& place, float value) const {
  const auto knot = static_cast<std::size_t>(place.knot);
  const float road = curve_[knot] + place.beyond * (curve_[knot + 1] - curve_[knot]);
  const float off = (value - road) / deviation_;
  const float slope = std::clamp(contrast_, -kMostSlope, kMostSlope);
  return std::clamp(slope * (contrast_ / 2 - off), -kMostOdds, kMostOdds);
}

}  // namespace roadplane
