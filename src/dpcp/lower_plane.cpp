#include "lower_plane.hpp"

#include <array>
#include <cmath>

#include "roadplane/network/gossip.hpp"

namespace roadplane {
namespace {

constexpr double kLookAbove = 0.02;  // [m]
constexpr double kLookBelow = 0.15;  // [m]
constexpr int kLookSteps = 4;
constexpr int kSettlingSteps = 2;
constexpr double kSame = 1e-3;    // [sine] between hyperplanes that are one
constexpr double kReach = 0.036;  // [sine] between hyperplanes of one road
// A plane that holds fewer points than the upper one is the road only if it is a floor, as the
// verges that a road falls off to are not: a point just below it weighs as much as so many on it,
// and what is left is comparable to what the upper one holds. Of the recordings' lower planes that
// are the road the least has 0.63 of that, of the others the most 0.55. Points far below may
// be reflections, and do not count.
constexpr float kBlame = 5;
constexpr float kJustBelow = 2;  // [scales]
constexpr double kComparable = 0.59;

double distance(const Eigen::Vector4d& v, const Eigen::Vector4d& w) {
  return std::sqrt(std::max(0.0, 1 - std::pow(v.dot(w), 2)));
}

}  // namespace

LowerPlane look_lower(Channel& channel, const Reweighing& reweighing, const AgentPlanes& dominant,
                      const RobustOptions& options) {
  const Window window = options.window();
  const Window looking{
      .above = kLookAbove, .below = kLookBelow, .metric = true, .near_m = window.near_m};
  AgentPlanes lower = dominant;
  reweighing.steps(kLookSteps, lower, looking);

  AgentPlanes upper = dominant;
  AgentPlanes* both[] = {&upper, &lower};
  reweighing.steps(kSettlingSteps, both, window);
  const SupportRule held{.scale = static_cast<float>(window.above),
                         .near = kernel_window(window).near};
  SupportRule floor = held;
  floor.blame = kBlame;
  floor.depth = kJustBelow;
  const std::array<Reweighing::Weighing, 2> weighings{
      {{both, held}, {std::span(both).last(1), floor}}};
  const auto support = reweighing.support(weighings);
  const bool road = support[1] >= support[0] || support[2] >= kComparable * support[0];
  // Nearly equal views are not equal: agent 0 decides for all.
  const double apart = distance(upper.w.front(), lower.w.front());
  const bool preferred =
      road && apart > kSame && apart < kReach && options.prior.admits(lower.w.front());
  std::array<float, 1> prefer{preferred ? 1.0F : 0.0F};
  broadcast_from(channel, 0, prefer);
  const bool lowered = prefer[0] == 1;
  return {lowered ? lower : upper, lowered};
}

}  // namespace roadplane
