#include "roadplane/ground/target.hpp"

#include "roadplane/base/named_values.hpp"

namespace roadplane {
namespace {

constexpr NamedValues<Target, 3> kTargets{
    {{Target::plane, "plane"}, {Target::road, "road"}, {Target::ground, "ground"}}};

constexpr NamedValues<Surface, 3> kSurfaces{
    {{Surface::plane, "plane"}, {Surface::relief, "relief"}, {Surface::road, "road"}}};

}  // namespace

Surface surface_from_string(std::string_view name) { return value_of(kSurfaces, name, "surface"); }

std::string_view to_string(Surface surface) { return name_of(kSurfaces, surface); }

Surface default_surface(Target target) {
  switch (target) {
    case Target::plane:
      return Surface::plane;
    case Target::road:
      return Surface::road;
    case Target::ground:
      break;
  }
  return Surface::relief;
}

Target target_from_string(std::string_view name) { return value_of(kTargets, name, "target"); }

std::string_view to_string(Target target) { return name_of(kTargets, target); }

PlaneSought plane_sought(Target target) {
  return target == Target::plane ? PlaneSought::dominant : PlaneSought::lowest;
}

}  // namespace roadplane
