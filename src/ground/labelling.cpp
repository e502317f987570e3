#include "roadplane/ground/labelling.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <numeric>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/kernels/cloud_kernels.hpp"

namespace roadplane {
namespace {

struct Unit {
  std::string_view name;
  ResidualUnit unit;
  double factor;  ///< to [rad] or [m]
};

constexpr std::array<Unit, 4> kUnits{{
    {"rad", ResidualUnit::angle, 1},
    {"deg", ResidualUnit::angle, std::numbers::pi / 180},
    {"m", ResidualUnit::metres, 1},
    {"cm", ResidualUnit::metres, 0.01},
}};

/// The hyperplane with the sensor above it, scaled so that its value at a point is the distance: in
/// metres its normal has unit length.
Eigen::Vector4f scaled(const Eigen::Vector4d& w, ResidualUnit unit) {
  const double length = unit == ResidualUnit::metres ? w.head<3>().norm() : w.norm();
  return (w * ((w(3) < 0 ? -1 : 1) / length)).cast<float>();
}

/// The points that `own` names; null means all.
void label_with(const PointRows& points, const std::uint32_t* own, std::size_t count,
                const Eigen::Vector4d& w, const Threshold& threshold, PointLabels& labels) {
  if (count == 0) return;
  const Eigen::Vector4f plane = scaled(w, threshold.unit);
  cloud_kernels(active_isa())
      .label(points.floats(), own, count, plane.data(), threshold.unit == ResidualUnit::angle,
             static_cast<float>(threshold.value), labels.residuals.data(), labels.road.data());
}

}  // namespace

Threshold Threshold::parse(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view name = text.substr(static_cast<std::size_t>(end - text.data()));
  const auto unit =
      std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& u) { return u.name == name; });
  if (error != std::errc() || unit == kUnits.end()) {
    throw FieldError("threshold",
                     "auto, an angle such as 0.011rad or 0.6deg, or a distance such "
                     "as 0.15m or 15cm",
                     in_quotes(text));
  }
  const Threshold threshold{value * unit->factor, unit->unit};
  const bool metres = threshold.unit == ResidualUnit::metres;
  if (!(threshold.value > 0 && threshold.value <= (metres ? 10 : 1))) {
    throw FieldError("threshold",
                     metres ? "more than 0 m, at most 10 m" : "more than 0 rad, at most 1 rad",
                     std::string(text));
  }
  return threshold;
}

std::string Threshold::to_string() const {
  std::array<char, 32> digits{};
  char* end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return std::string(digits.data(), end) + (unit == ResidualUnit::metres ? "m" : "rad");
}

std::size_t PointLabels::count() const {
  // Eight labels are added at once, each to a byte of the sum, as often as a byte can count.
  constexpr std::size_t kEight = sizeof(std::uint64_t);
  const std::size_t whole = road.size() / kEight * kEight;
  std::size_t count = std::accumulate(road.data() + whole, road.data() + road.size(), 0U);
  for (std::size_t k = 0; k < whole;) {
    std::uint64_t bytes = 0;
    for (const std::size_t end = std::min(whole, k + 255 * kEight); k < end; k += kEight) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, &road[k], kEight);
      bytes += eight;
    }
    for (; bytes != 0; bytes >>= 8) count += bytes & 0xFF;
  }
  return count;
}

PointLabels label_points(const PointRows& points, const Eigen::Vector4d& w,
                         const Threshold& threshold) {
  PointLabels labels(points.size());
  label_with(points, nullptr, points.size(), w, threshold, labels);
  return labels;
}

PointLabels label_points(const PointRows& points, const Shards& shards,
                         std::span<const Eigen::Vector4d> planes, const Threshold& threshold,
                         Residuals residuals) {
  PointLabels labels(points.size(), residuals);
  for (int i = 0; i < shards.agents(); ++i) {
    const auto own = shards[i];
    label_with(points, own.data(), own.size(), planes[static_cast<std::size_t>(i)], threshold,
               labels);
  }
  return labels;
}

}  // namespace roadplane
