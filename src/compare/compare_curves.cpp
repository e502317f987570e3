#include <fmt/format.h>

#include <set>

#include "compare_pictures.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/compare/band.hpp"
#include "roadplane/viz/plot.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;

/// One of a picture's two axes.
struct Axis {
  const char* key;
  const char* label;
  double (*value)(const MethodCurve&, std::size_t entry);
};

constexpr Axis kCosts[] = {
    {"messages", "messages per link",
     [](const MethodCurve& c, std::size_t k) {
       return static_cast<double>(c.trace[k].traffic.messages_per_link);
     }},
    {"rounds", "communication rounds",
     [](const MethodCurve& c, std::size_t k) {
       return static_cast<double>(c.trace[k].traffic.rounds);
     }},
    {"samples", "component gradients per agent",
     [](const MethodCurve& c, std::size_t k) { return static_cast<double>(c.trace[k].samples); }},
    {"seconds", "seconds", [](const MethodCurve& c, std::size_t k) { return c.trace[k].seconds; }}};

constexpr Axis kResults[] = {
    {"minimiser_distance", "worst agent's distance from the minimiser",
     [](const MethodCurve& c, std::size_t k) { return c.trace[k].distance.value_or(0); }},
    {"stationarity_gap", "StaGap",
     [](const MethodCurve& c, std::size_t k) { return c.trace[k].gap.total(); }},
    {"consensus", "consensus: mean squared distance from the mean",
     [](const MethodCurve& c, std::size_t k) { return c.trace[k].gap.consensus; }},
    {"recovery_error", "recovery error",
     [](const MethodCurve& c, std::size_t k) { return c.recovery_error[k]; }}};

std::string curves_csv(const ComparePlan& plan, const Graph& graph,
                       const FrameComparison& comparison) {
  std::string text =
      "method,seed,iteration,messages,rounds,bytes_per_agent,samples,seconds,minimiser_distance,"
      "stationarity_gap,gradient,consensus,feasibility,recovery_error\n";
  for (const MethodCurve& curve : comparison.curves) {
    for (std::size_t k = 0; k < curve.trace.size(); ++k) {
      const TraceEntry& e = curve.trace[k];
      text += fmt::format(
          "\"{}\",{},{},{},{},{},{},{},{},{},{},{},{},{}\n", plan.methods[curve.method].name,
          curve.seed, e.iteration, e.traffic.messages_per_link, e.traffic.rounds,
          e.traffic.bytes_per_agent(graph), e.samples, e.seconds,
          e.distance ? fmt::to_string(*e.distance) : "", e.gap.total(), e.gap.gradient,
          e.gap.consensus, e.gap.feasibility,
          curve.recovery_error.empty() ? "" : fmt::to_string(curve.recovery_error[k]));
    }
  }
  return text;
}

std::vector<viz::Curve> lines_of(const ComparePlan& plan, const FrameComparison& comparison,
                                 const std::string& objective, const Axis& cost,
                                 const Axis& result) {
  std::vector<viz::Curve> lines;
  for (std::size_t m = 0; m < plan.methods.size(); ++m) {
    if (plan.methods[m].objective != objective) continue;
    std::vector<Series> runs;
    for (const MethodCurve& curve : comparison.curves) {
      if (curve.method != m) continue;
      Series& run = runs.emplace_back();
      for (std::size_t k = 0; k < curve.trace.size(); ++k) {
        run.x.push_back(cost.value(curve, k));
        run.y.push_back(result.value(curve, k));
      }
    }
    if (!runs.empty()) lines.push_back(band_of(plan.methods[m].name, runs));
  }
  return lines;
}

}  // namespace

void write_curves(const ComparePlan& plan, const Graph& graph, const kitti::Frame& frame,
                  const fs::path& folder, FrameComparison& comparison) {
  if (comparison.curves.empty()) return;
  const fs::path relative = fs::path("curves") / frame.sequence / frame.stem();
  make_folders(folder / relative);
  write_file_atomically(folder / (relative.string() + ".csv"), curves_csv(plan, graph, comparison));
  std::set<std::string> objectives;
  for (const MethodCurve& c : comparison.curves)
    objectives.insert(plan.methods[c.method].objective);
  for (const std::string& objective : objectives) {
    for (const Axis& result : kResults) {
      if (comparison.truth.empty() && result.key == std::string("recovery_error")) continue;
      for (const Axis& cost : kCosts) {
        const fs::path file =
            relative / fmt::format("{}-{}-{}.png", objective, result.key, cost.key);
        viz::write_plots(folder / file, lines_of(plan, comparison, objective, cost, result),
                         {comparison.name + ", " + objective, cost.label, result.label,
                          /*log_x=*/true});
        comparison.curve_pictures.push_back(file.string());
      }
    }
  }
}

}  // namespace roadplane
