#include <algorithm>
#include <array>
#include <charconv>
#include <numbers>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/ground/target.hpp"

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
