#include "roadplane/viz/palette.hpp"

#include <algorithm>
#include <array>

#include "roadplane/evaluation/scoring.hpp"

namespace roadplane::viz {
namespace {

constexpr Color kRoad{45, 125, 255};
constexpr Color kOther{235, 45, 45};

// Okabe and Ito's colours, which also people with colour-blindness tell apart, and a grey.
constexpr Color kTruePositive{86, 180, 233};
constexpr Color kFalsePositive{213, 94, 0};
constexpr Color kFalseNegative{240, 228, 66};
constexpr Color kTrueNegative{150, 150, 150};
constexpr double kTrueNegativeOpacity = 0.45;  // the uninteresting majority steps back
constexpr Color kLeftOutRoad{120, 95, 125};    // what no score counts, further back
constexpr Color kLeftOutOther{95, 80, 100};
constexpr double kLeftOutOpacity = 0.3;

// Ordered so that neighbours, who often own neighbouring sectors, differ in hue.
constexpr std::array<Color, Palette::kAgentColors> kAgents = {{{230, 60, 80},
                                                               {60, 180, 75},
                                                               {255, 225, 25},
                                                               {80, 120, 255},
                                                               {245, 130, 49},
                                                               {66, 212, 244},
                                                               {240, 50, 230},
                                                               {191, 239, 69},
                                                               {170, 90, 220},
                                                               {250, 190, 212},
                                                               {70, 170, 160},
                                                               {255, 216, 177},
                                                               {170, 110, 60},
                                                               {220, 190, 255},
                                                               {150, 150, 20},
                                                               {170, 255, 195}}};
constexpr double kAgentOtherBrightness = 0.42;

Color scaled(Color color, double factor) {
  const auto scale = [factor](std::uint8_t v) { return static_cast<std::uint8_t>(v * factor); };
  return {scale(color.r), scale(color.g), scale(color.b)};
}

std::vector<Palette::Look> agent_looks() {
  std::vector<Palette::Look> looks;
  for (const Color color : kAgents) {
    looks.push_back({scaled(color, kAgentOtherBrightness), 1, false});
    looks.push_back({color, 1, true});
  }
  return looks;
}

std::vector<KeyEntry> truth_key(const std::string& surface, bool left_out) {
  std::vector<KeyEntry> key{{kTruePositive, surface + " found (TP)"},
                            {kFalsePositive, "false " + surface + " (FP)"},
                            {kFalseNegative, "missed " + surface + " (FN)"},
                            {kTrueNegative, "other (TN)"}};
  if (left_out) key.push_back({kLeftOutRoad, "not scored"});
  return key;
}

}  // namespace

// Looks are ordered such that look_of() is arithmetic: it runs once a point.
Palette::Palette(OverlayStyle style) : style_(style) {
  switch (style) {
    case OverlayStyle::labels:
      looks_ = {{kOther, 1, false}, {kRoad, 1, true}};
      break;
    case OverlayStyle::truth:
      looks_ = {{kTrueNegative, kTrueNegativeOpacity, false},
                {kFalsePositive, 1, true},
                {kFalseNegative, 1, false},
                {kTruePositive, 1, true},
                {kLeftOutOther, kLeftOutOpacity, false},
                {kLeftOutRoad, kLeftOutOpacity, false}};
      break;
    case OverlayStyle::agents:
      looks_ = agent_looks();
      break;
  }
}

std::size_t Palette::look_of(const LabelledCloud& cloud, std::size_t i) const {
  const std::size_t road = cloud.road[i] == 1 ? 1 : 0;  // a truth may be drawn as labels, too
  switch (style_) {
    case OverlayStyle::truth:
      return std::size_t{2} * std::min(cloud.truth[i], kLeftOut) + road;
    case OverlayStyle::agents:
      return std::size_t{2} * (cloud.owner[i] % kAgentColors) + road;
    case OverlayStyle::labels:
      break;
  }
  return road;
}

std::vector<KeyEntry> Palette::key(const LabelledCloud& cloud) const {
  const std::string surface(cloud.surface);
  switch (style_) {
    case OverlayStyle::truth:
      return truth_key(surface, std::ranges::find(cloud.truth, kLeftOut) != cloud.truth.end());
    case OverlayStyle::agents:
      break;
    case OverlayStyle::labels:
      return {{kRoad, surface}, {kOther, "other"}};
  }
  const int agents = cloud.owner.empty() ? 0 : std::ranges::max(cloud.owner) + 1;
  std::vector<KeyEntry> key(std::min(agents, kAgentColors));
  for (std::size_t i = 0; i < key.size(); ++i) key[i].color = kAgents[i];
  if (!key.empty()) {
    key.back().text =
        std::to_string(agents) + (agents == 1 ? " agent, " : " agents, ") + surface + " bright";
  }
  return key;
}

}  // namespace roadplane::viz
