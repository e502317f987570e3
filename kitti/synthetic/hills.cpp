#include "hills.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace roadplane::kitti::synthetic {
namespace {

// Every 80 m the grade changes, over 20 m: tight for a road, usual for a street or a ramp. The
// first change is where the LiDAR sees it from the start of the drive.
constexpr double kFirstChangeM = 30;
constexpr double kBetweenChangesM = 80;
constexpr double kChangeLengthM = 20;

constexpr double kBankedHalfWidthM = 12;  // beyond, the land goes on at the height of its edge

// A round-topped bump of 3.7 m, as in streets with a speed limit of 30 km/h.
constexpr double kFirstBumpM = 12;
constexpr double kBetweenBumpsM = 30;
constexpr double kBumpLengthM = 3.7;
constexpr double kBumpTaperM = 0.5;  // lets water pass along the kerb

struct Profile {
  double value;
  double slope;
  double bend;  ///< [1/m]
};

/// A roof and a valley by turns, slopes +1 and -1, rounded by parabolas: a roof at 0.
Profile wave(double x) {
  constexpr double kPeriod = 2 * kBetweenChangesM;
  constexpr double kHalf = kChangeLengthM / 2;
  const double u = x - kPeriod * std::round(x / kPeriod);
  const double a = std::abs(u);
  const double sign = u < 0 ? -1 : 1;
  if (a <= kHalf) return {-a * a / kChangeLengthM, -2 * u / kChangeLengthM, -2 / kChangeLengthM};
  if (a <= kBetweenChangesM - kHalf) return {kChangeLengthM / 4 - a, -sign, 0};
  const double b = kBetweenChangesM - a;
  return {kHalf - kBetweenChangesM + b * b / kChangeLengthM, -2 * sign * b / kChangeLengthM,
          2 / kChangeLengthM};
}

}  // namespace

Hills::Hills(const SceneOptions& options)
    : grade_(options.hill == Hill::none  ? 0
             : options.hill == Hill::dip ? -options.grade_percent / 100
                                         : options.grade_percent / 100),
      one_sided_(options.hill == Hill::grade),
      bank_(options.bank_percent / 100) {}

Height Hills::at(double x, double y) const {
  const double from_change = x - kFirstChangeM;
  const Profile roof = wave(from_change);
  const double risen = (1 - roof.slope) / 2;  // from 0 to 1 at a roof, back at a valley
  Height height{grade_ * roof.value, grade_ * roof.slope, 0};
  if (one_sided_) height = {grade_ * (from_change - roof.value) / 2, grade_ * risen, 0};
  if (bank_ == 0) return height;
  const double aside = std::tanh(y / kBankedHalfWidthM);
  height.z_m += bank_ * risen * kBankedHalfWidthM * aside;
  height.ahead -= bank_ * roof.bend / 2 * kBankedHalfWidthM * aside;
  height.left += bank_ * risen * (1 - aside * aside);
  return height;
}

double Hills::steepest() const {
  return std::abs(grade_) + std::abs(bank_) * (1 + kBankedHalfWidthM / kChangeLengthM);
}

Height Bumps::at(double x, double y) const {
  const double to_kerb = half_width_m_ - std::abs(y);
  const double u =
      x - kFirstBumpM - kBetweenBumpsM * std::round((x - kFirstBumpM) / kBetweenBumpsM);
  if (none() || std::abs(u) >= kBumpLengthM / 2 || to_kerb <= 0) return {};
  const double phase = 2 * std::numbers::pi * u / kBumpLengthM;
  const double along = (1 + std::cos(phase)) / 2;
  const double along_slope = -std::numbers::pi / kBumpLengthM * std::sin(phase);
  const double s = std::min(1.0, to_kerb / kBumpTaperM);
  const double across = s * s * (3 - 2 * s);
  const double across_slope = 6 * s * (1 - s) / kBumpTaperM * (y > 0 ? -1 : 1);
  return {height_m_ * along * across, height_m_ * along_slope * across,
          height_m_ * along * across_slope};
}

double Bumps::steepest() const {
  return height_m_ * (std::numbers::pi / kBumpLengthM + 1.5 / kBumpTaperM);
}

}  // namespace roadplane::kitti::synthetic
