#include "roadplane/viz/labelled_cloud.hpp"

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace roadplane::viz {
namespace {

constexpr std::array<std::pair<OverlayStyle, std::string_view>, 3> kStyles = {{
    {OverlayStyle::labels, "labels"},
    {OverlayStyle::truth, "truth"},
    {OverlayStyle::agents, "agents"},
}};

void expect_count(const char* member, std::size_t count, std::size_t points) {
  if (count == points) return;
  throw std::invalid_argument(std::string("LabelledCloud::") + member + ": expected " +
                              std::to_string(points) + " values, one a point, found " +
                              std::to_string(count));
}

}  // namespace

std::string_view to_string(OverlayStyle style) {
  for (const auto& [known, name] : kStyles) {
    if (known == style) return name;
  }
  return "unknown";
}

OverlayStyle overlay_style_from_string(std::string_view name) {
  std::string names;
  for (const auto& [style, known] : kStyles) {
    if (known == name) return style;
    names += (names.empty() ? "" : ", ") + std::string(known);
  }
  throw std::invalid_argument("overlay style: expected one of " + names + ", found '" +
                              std::string(name) + "'");
}

void validate(const LabelledCloud& cloud, OverlayStyle style) {
  const std::size_t points = cloud.points.size();
  expect_count("road", cloud.road.size(), points);
  if (style == OverlayStyle::truth || !cloud.truth.empty()) {
    expect_count("truth", cloud.truth.size(), points);
  }
  if (style == OverlayStyle::agents || !cloud.owner.empty()) {
    expect_count("owner", cloud.owner.size(), points);
  }
}

bool is_drawable(const Point& point) {
  // NaN fails both comparisons; infinite and overflowing coordinates give an infinite square.
  const float squared = point.x * point.x + point.y * point.y + point.z * point.z;
  return squared > 0.0F && squared < INFINITY;
}

}  // namespace roadplane::viz
