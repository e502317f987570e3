#include "roadplane/ground/target.hpp"

#include "roadplane/base/named_values.hpp"

namespace roadplane {
namespace {

constexpr NamedValues<Target, 3> kTargets{
    {{Target::plane, "plane"}, {Target::road, "road"}, {Target::ground, "ground"}}};

}  // namespace

Target target_from_string(std::string_view name) { return value_of(kTargets, name, "target"); }

std::string_view to_string(Target target) { return name_of(kTargets, target); }

PlaneSought plane_sought(Target target) {
  return target == Target::plane ? PlaneSought::dominant : PlaneSought::lowest;
}

Threshold default_threshold(Target target) {
  switch (target) {
    case Target::plane:
      return {0.011, ResidualUnit::angle};
    case Target::road:
      return {0.125, ResidualUnit::metres};
    case Target::ground:
      break;
  }
  return {0.3, ResidualUnit::metres};
}

}  // namespace roadplane
