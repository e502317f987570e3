#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <set>

#include "compare_metrics.hpp"
#include "roadplane/compare/compare_tables.hpp"
#include "roadplane/compare/paper_protocol.hpp"

namespace roadplane {
namespace {

std::string budget_sentence(const ComparePlan& plan) {
  if (plan.paper()) return paper_protocol_sentence();
  if (plan.budget) {
    return fmt::format(
        "Equal budgets: every solver may spend {} on a frame, everything included, and never more; "
        "a method that comes to rest ends earlier, one that a budget gives no iteration has "
        "failed.",
        plan.budget->to_string());
  }
  return fmt::format(
      "Equal budgets: on l3 every solver may spend {:.0f} messages per link on a frame, everything "
      "included, and never more.",
      ComparePlan::kMessagesOfL3);
}

bool uses(const ComparePlan& plan, const std::string& objective) {
  for (const CompareMethod& method : plan.methods) {
    if (method.objective == objective) return true;
  }
  return false;
}

bool uses_solver(const ComparePlan& plan, const std::string& solver) {
  for (const CompareMethod& method : plan.methods) {
    if (method.solver == solver) return true;
  }
  return false;
}

std::string step_sentence(const Comparison& comparison) {
  const ComparePlan& plan = comparison.plan;
  if (plan.config.tune) {
    std::string text = fmt::format(
        "Parameters: every solver's own (step; t, the messages per link and iteration; the "
        "schedule of DRSGD, k is the epoch; VRSGT's q; the tolerance of gossip) were "
        "tuned on {} (not compared here) with the budget above, from the steps {} on as far as it "
        "got better; taken was what comes nearest to the minimiser on average over the budget, "
        "from the start on: standing still scores 0.",
        fmt::join(comparison.tune_frames, ", "), plan.config.tune_steps);
    for (const Tuning& tuning : comparison.tunings) {
      if (!tuning.best && !plan.methods[tuning.method].is_central()) {
        text += fmt::format(
            " {}: no setting that was tried comes nearer to the minimiser than the start, so the "
            "program's own is used.",
            plan.methods[tuning.method].name);
      }
      if (tuning.edge.empty()) continue;
      text += fmt::format(" {} ended at the edge of what may be tried: {}.",
                          plan.methods[tuning.method].name, tuning.edge);
    }
    return text;
  }
  if (plan.config.common.step > 0) {
    return fmt::format("Steps: {:g} for every solver, as given.", plan.config.common.step);
  }
  return "Steps: the program's choices, not tuned.";
}

std::string truth_sentence(const Comparison& comparison) {
  std::set<std::string> sources;
  for (const FrameComparison& frame : comparison.frames) {
    if (!frame.truth.empty()) sources.insert(frame.truth);
  }
  if (sources.empty()) return "No frame has a truth.";
  std::string text = fmt::format("Truth: {}.", fmt::join(sources, ", "));
  if (sources.contains("reference")) text += " A reference is a robust estimate, not truth.";
  return text;
}

/// One solver against VRSGT on the same objective, frame by frame and seed by seed.
std::string finding(const Comparison& comparison, std::size_t vrsgt, std::size_t rival) {
  constexpr double kAsWell = 1.1;  // within a tenth
  const std::string& name = comparison.plan.methods[rival].name;
  const std::string& reference = comparison.plan.methods[vrsgt].name;
  const auto error = against_vrsgt(comparison, rival, metric("recovery_error"));
  const RunCount own = count_runs(comparison, rival);
  const RunCount base = count_runs(comparison, vrsgt);
  if (own.failed > 0 || base.failed > 0) {
    return fmt::format("{}: {} of {} runs failed; {}: {} of {}.", name, own.failed, own.runs,
                       reference, base.failed, base.runs);
  }
  const auto distance = against_vrsgt(comparison, rival, metric("minimiser_distance"));
  if (!error && !distance) return {};
  std::string text = name;
  if (error) {
    const char* verdict = error->median > kAsWell       ? "does worse than"
                          : error->median < 1 / kAsWell ? "does better than"
                                                        : "does as well as";
    text += fmt::format(" {} {} by recovery error: {} it over {} pair{} of frame and seed", verdict,
                        reference, error->text(), error->pairs, error->pairs == 1 ? "" : "s");
  }
  if (distance) {
    text += fmt::format("{} {} as far from the minimiser", error ? "; it ends" : " ends",
                        distance->text()) +
            (error ? "" : " as " + reference);
  }
  if (!comes_to_rest(comparison, rival)) return text + ", and ends by its budget, not at rest.";
  const auto messages = against_vrsgt(comparison, rival, metric("messages_per_link"));
  return text + (messages ? ", after " + messages->text() + " the messages." : ".");
}

}  // namespace

std::vector<std::string> protocol_of(const Comparison& comparison) {
  const ComparePlan& plan = comparison.plan;
  const SegmentConfig& c = plan.config.common;
  std::vector<std::string> text;
  if (comparison.frames_done() < comparison.frames_asked) {
    text.push_back(
        fmt::format("Stopped after {} of {} frames; a frame that not all methods had their "
                    "runs on does not count in the medians.",
                    comparison.frames_done(), comparison.frames_asked));
  }
  if (plan.paper() || plan.budget || uses(plan, "l3")) text.push_back(budget_sentence(plan));
  if (uses(plan, "robust") && !plan.budget) {
    text.emplace_back(
        "On the robust objective every solver may spend the messages per link that VRSGT takes "
        "until "
        "it is at rest, and 5 % more.");
  }
  text.push_back(fmt::format(
      "Common to all solvers: {} agents, {} network, {} weights, {}{}{} shards, the same start, "
      "seed{} {}{}; baselines see all points at once.",
      c.agents, c.topology, c.mixing, c.links.empty() ? "" : "link faults " + c.links + ", ",
      c.wire == "auto" ? "" : "messages in " + c.wire + ", ", c.shards,
      plan.config.repeat > 1 ? "s" : "", c.seed,
      plan.config.repeat > 1 ? fmt::format(" to {}", c.seed + plan.config.repeat - 1) : ""));
  text.push_back(step_sentence(comparison));
  text.push_back(truth_sentence(comparison) + " Labels: target " + c.target + ", threshold " +
                 c.threshold + " for every method, scoring " + c.scoring + ".");
  if (plan.config.jobs > 1) {
    text.push_back(fmt::format("{} runs at a time: times are of shared cores.", plan.config.jobs));
  }
  text.emplace_back(
      "A run that fails counts as the worst in every median. StaGap and the distance from the "
      "minimiser, which only those know who look at all points at once, belong to an objective: "
      "compare them within one only. Ratios are of the same frame and seed: median (10 % to 90 "
      "%).");
  if (uses_solver(plan, "all-reduce")) {
    text.emplace_back(
        "ALL-REDUCE is central: the steps of gossip-newton, with sums over all agents that are "
        "exact "
        "after one message, as over the fully linked network of a data centre.");
  }
  return text;
}

std::vector<std::string> findings_of(const Comparison& comparison) {
  const auto& methods = comparison.plan.methods;
  std::vector<std::string> findings;
  for (std::size_t v = 0; v < methods.size(); ++v) {
    if (methods[v].solver != "vrsgt") continue;
    for (std::size_t m = 0; m < methods.size(); ++m) {
      if (m == v || methods[m].is_baseline() || methods[m].objective != methods[v].objective) {
        continue;
      }
      const std::string text = finding(comparison, v, m);
      if (!text.empty()) findings.push_back(text);
    }
  }
  return findings;
}

}  // namespace roadplane
