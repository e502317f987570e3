#include "roadplane/viz/labelled_cloud.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include "roadplane/base/named_values.hpp"

namespace roadplane::viz {
namespace {

constexpr NamedValues<OverlayStyle, 3> kStyles = {{
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

std::string_view to_string(OverlayStyle style) { return name_of(kStyles, style); }

OverlayStyle overlay_style_from_string(std::string_view name) {
  return value_of(kStyles, name, "overlay_style");
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
