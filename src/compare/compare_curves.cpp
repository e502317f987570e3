#include <fmt/format.h>

#include <set>

#include "compare_metrics.hpp"
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

constexpr Axis kDistance{
    "minimiser_distance", "worst agent's distance",
    [](const MethodCurve& c, std::size_t k) { return c.trace[k].distance.value_or(0); }};
constexpr Axis kGap{"stationarity_gap", "StaGap",
                    [](const MethodCurve& c, std::size_t k) { return c.trace[k].gap.total(); }};
constexpr Axis kConsensus{
    "consensus", "consensus: mean squared distance from the mean",
    [](const MethodCurve& c, std::size_t k) { return c.trace[k].gap.consensus; }};
constexpr Axis kError{"recovery_error", "recovery error",
                      [](const MethodCurve& c, std::size_t k) { return c.recovery_error[k]; }};

/// A result against a cost.
using Picture = std::pair<const Axis*, const Axis*>;

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

/// A line per solver, over all runs on the frames given.
std::vector<viz::Curve> lines_of(const ComparePlan& plan, std::span<const FrameComparison> frames,
                                 const std::string& objective, const Axis& cost,
                                 const Axis& result) {
  std::vector<viz::Curve> lines;
  for (std::size_t m = 0; m < plan.methods.size(); ++m) {
    if (plan.methods[m].objective != objective) continue;
    std::vector<Series> runs;
    for (const FrameComparison& frame : frames) {
      for (const MethodCurve& curve : frame.curves) {
        if (curve.method != m || (&result == &kError && curve.recovery_error.empty())) continue;
        Series& run = runs.emplace_back();
        for (std::size_t k = 0; k < curve.trace.size(); ++k) {
          run.x.push_back(cost.value(curve, k));
          run.y.push_back(result.value(curve, k));
        }
      }
    }
    if (!runs.empty()) lines.push_back(band_of(short_name(plan.methods[m]), runs));
  }
  return lines;
}

/// A picture of every pair of axes for every objective; the names of those that were drawn.
std::vector<std::string> draw(const ComparePlan& plan, std::span<const FrameComparison> frames,
                              const std::string& title, std::span<const Picture> pictures,
                              const fs::path& folder, const fs::path& relative) {
  make_folders(folder / relative);
  std::set<std::string> objectives;
  for (const CompareMethod& method : plan.methods) {
    if (!method.is_baseline()) objectives.insert(method.objective);
  }
  std::vector<std::string> drawn;
  for (const std::string& objective : objectives) {
    for (const auto& [result, cost] : pictures) {
      const auto lines = lines_of(plan, frames, objective, *cost, *result);
      if (lines.empty()) continue;
      const fs::path file =
          relative / fmt::format("{}-{}-{}.png", objective, result->key, cost->key);
      viz::write_plots(folder / file, lines,
                       {title + ", " + objective, cost->label, result->label, /*log_x=*/true});
      drawn.push_back(file.string());
    }
  }
  return drawn;
}

}  // namespace

void write_curves(const ComparePlan& plan, const Graph& graph, const kitti::Frame& frame,
                  const fs::path& folder, FrameComparison& comparison) {
  if (comparison.curves.empty()) return;
  const fs::path relative = fs::path("curves") / frame.sequence / frame.stem();
  make_folders((folder / relative).parent_path());
  write_file_atomically(folder / (relative.string() + ".csv"), curves_csv(plan, graph, comparison));
  if (!plan.frame_curves) return;
  std::vector<Picture> pictures;
  for (const Axis* result : {&kDistance, &kGap, &kConsensus, &kError}) {
    for (const Axis& cost : kCosts) pictures.emplace_back(result, &cost);
  }
  comparison.curve_pictures =
      draw(plan, std::span(&comparison, 1), comparison.name, pictures, folder, relative);
}

std::vector<std::string> write_summary_curves(const Comparison& comparison,
                                              const fs::path& folder) {
  std::vector<Picture> pictures;
  for (const Axis& cost : kCosts) pictures.emplace_back(&kDistance, &cost);
  pictures.insert(pictures.end(), {{&kGap, kCosts}, {&kError, kCosts}});
  const std::size_t frames = comparison.frames.size();
  return draw(comparison.plan, comparison.frames,
              fmt::format("{} frame{}", frames, frames == 1 ? "" : "s"), pictures, folder,
              "curves");
}

}  // namespace roadplane
