#include "roadplane/ground/labelling.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/geometry/four_points.hpp"
#include "roadplane/geometry/plane.hpp"

namespace roadplane {

Threshold Threshold::parse(std::string_view text) {
  if (text == "auto") return {0, ResidualUnit::angle, true};
  Threshold threshold;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), threshold.value);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (error != std::errc() || (unit != "rad" && unit != "m")) {
    throw FieldError("threshold", "auto, an angle such as 0.011rad or metres such as 0.15m",
                     in_quotes(text));
  }
  threshold.unit = unit == "m" ? ResidualUnit::metres : ResidualUnit::angle;
  const double most = unit == "m" ? 10 : 1;
  if (!(threshold.value > 0 && threshold.value <= most)) {
    throw FieldError("threshold",
                     unit == "m" ? "more than 0 m, at most 10 m" : "more than 0 rad, at most 1 rad",
                     std::string(text));
  }
  return threshold;
}

std::string Threshold::to_string() const {
  if (automatic) return "auto";
  std::array<char, 32> digits{};
  char* end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return std::string(digits.data(), end) + (unit == ResidualUnit::metres ? "m" : "rad");
}

void residuals(PointSpan points, const Eigen::Vector4d& w, ResidualUnit unit,
               std::vector<float>& result) {
  result.resize(points.size());
  // In metres the hyperplane is scaled so that its normal has unit length.
  const double length = unit == ResidualUnit::metres ? w.head<3>().norm() : w.norm();
  const Eigen::Vector4f u = (w / length).cast<float>();
  const bool angle = unit == ResidualUnit::angle;
  for_each_four(points, result.data(), [&](const Coordinates& p) {
    const Quad squared = p.x * p.x + p.y * p.y + p.z * p.z;
    const Quad distance = u(0) * p.x + u(1) * p.y + u(2) * p.z + u(3);
    const Quad residual = angle ? distance * (1.0F / square_root(squared + 1.0F)) : distance;
    const QuadMask usable = (squared > 0.0F) & (squared < INFINITY);
    return usable ? residual : INFINITY - Quad{};
  });
}

std::size_t label_road(std::span<const float> residuals, double threshold,
                       std::vector<std::uint8_t>& road) {
  road.resize(residuals.size());
  const auto limit = static_cast<float>(threshold);
  std::size_t count = 0;
  for (std::size_t k = 0; k < residuals.size(); ++k) {
    road[k] = std::abs(residuals[k]) <= limit ? 1 : 0;
    count += road[k];
  }
  return count;
}

}  // namespace roadplane
