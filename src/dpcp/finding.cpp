#include "roadplane/dpcp/finding.hpp"

#include <array>
#include <utility>

namespace roadplane {
namespace {

constexpr std::array<std::pair<Doubt, const char*>, 7> kWords{{
    {Doubt::outside_prior, "the plane is too steep for a road, or at a height that was ruled out"},
    {Doubt::few_points, "too few points lie on the plane to carry one"},
    {Doubt::no_contrast, "points lie as densely beside the plane as on it"},
    {Doubt::points_below, "many points lie below the plane"},
    {Doubt::rival, "another plane has as much support"},
    {Doubt::unsteady, "the plane is not well determined"},
    {Doubt::jump, "the plane jumps against what the track predicts"},
}};

}  // namespace

std::string Finding::note() const {
  std::string text;
  const auto add = [&text](const std::string& sentence) {
    text += (text.empty() ? "" : "; ") + sentence;
  };
  switch (mounting) {
    case Mounting::expected:
    case Mounting::unclear:  // outside the prior, which is said below
      break;
    case Mounting::upside_down:
      add("the road is above the sensor: mounted upside down, or z points down");
      break;
    case Mounting::other_axis:
      add(std::string("the road's normal is the ") + up_axis +
          " axis: expected z up, as in a LiDAR's frame");
      break;
  }
  const bool named = mounting == Mounting::upside_down || mounting == Mounting::other_axis;
  for (const auto& [doubt, words] : kWords) {
    if (has(doubt) && !(named && doubt == Doubt::outside_prior)) add(words);
  }
  return text;
}

}  // namespace roadplane
