#include "roadplane/compare/method_settings.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace roadplane {
namespace {

constexpr const char* kOverEpochs[] = {"", "/sqrt(k)", "/k"};

}  // namespace

std::string MethodSettings::to_string(double step_used) const {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  const double shown = step > 0 ? step : step_used;
  if (shown > 0) add(fmt::format("{:.3g}{}", shown, kOverEpochs[static_cast<int>(schedule)]));
  if (gossip_rounds > 0) add(fmt::format("t = {}", gossip_rounds));
  if (inner_iterations > 0) add(fmt::format("q = {}", inner_iterations));
  if (gossip_tolerance > 0) add(fmt::format("to {:g}", gossip_tolerance));
  return text.empty() ? "-" : text;
}

SegmentPlan with_settings(SegmentPlan plan, const MethodSettings& settings) {
  std::visit(
      [&](auto& o) {
        if (settings.step > 0) o.step = settings.step;
        if (settings.gossip_rounds > 0) o.gossip.rounds = settings.gossip_rounds;
        if constexpr (requires { o.batch, o.schedule; }) o.schedule = settings.schedule;
        if constexpr (requires { o.inner_iterations; }) {
          if (settings.inner_iterations > 0) o.inner_iterations = settings.inner_iterations;
        }
        if constexpr (requires { o.tolerance; }) {
          if (settings.gossip_tolerance > 0) o.tolerance = settings.gossip_tolerance;
        }
      },
      plan.plane.solver);
  if (auto* robust = std::get_if<RobustOptions>(&plan.plane.objective)) {
    robust->step = settings.step;
    robust->gossip_rounds = settings.gossip_rounds;
    if (settings.inner_iterations > 0) robust->inner_iterations = settings.inner_iterations;
  }
  return plan;
}

nlohmann::json to_json(const MethodSettings& s) {
  return {{"step", s.step},
          {"schedule", static_cast<int>(s.schedule)},
          {"gossip_rounds", s.gossip_rounds},
          {"inner_iterations", s.inner_iterations},
          {"gossip_tolerance", s.gossip_tolerance}};
}

MethodSettings settings_from_json(const nlohmann::json& json) {
  MethodSettings s;
  s.step = json.at("step");
  s.schedule = static_cast<StepSchedule>(json.at("schedule").get<int>());
  s.gossip_rounds = json.at("gossip_rounds");
  s.inner_iterations = json.at("inner_iterations");
  s.gossip_tolerance = json.at("gossip_tolerance");
  return s;
}

}  // namespace roadplane
