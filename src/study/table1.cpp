#include "table1.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "exponent.hpp"
#include "roadplane/base/parallel_for.hpp"
#include "roadplane/compare/band.hpp"
#include "roadplane/network/network.hpp"
#include "roadplane/solver/rivals/drgta.hpp"
#include "roadplane/solver/rivals/drsgd.hpp"
#include "roadplane/solver/vrsgt.hpp"

namespace roadplane {
namespace {

/// Full gradients come once a period, so costs jump by a period's samples.
constexpr double kTolerance = 0.15;
constexpr int kTraceEvery = 5;  ///< [iterations]
constexpr int kDrsgdTraceEvery = 25;

constexpr Table1Method kMethods[] = {
    {"VRSGT", "VRSGT", false, {1, 0.5, 1}, {1, 0, 0}},
    {"DRGTA, t = 1", "DRGTA", false, {1, 1, 1}, {1, 0, 0}},
    {"DRGTA, t by theory", "DRGTA", true, {1, 1, 1}, {1, 0, 0}},
    {"DRSGD, t = 1", "DRSGD", false, {2, 0, 1}, {2, 0, 0}},
    {"DRSGD, t by theory", "DRSGD", true, {2, 0, 1}, {2, 0, 0}},
};
constexpr const char* kVariables[] = {"1/eps", "l", "d"};

/// One size of the problem, for all methods.
struct Site {
  int seed;
  int samples_each;
  int agents;
  PcaProblem problem;
  Network network;
};

/// Notes when a trace first came below each epsilon, if that was cheaper than before.
void note(const std::vector<TraceEntry>& trace, double step, std::vector<Cost>& best) {
  for (Cost& cost : best) {
    const auto reached = std::find_if(trace.begin(), trace.end(), [&](const TraceEntry& entry) {
      return entry.gap.total() <= cost.gap;
    });
    if (reached == trace.end()) continue;
    const double samples = static_cast<double>(reached->samples) * cost.agents;
    if (cost.step > 0 && cost.samples <= samples) continue;
    cost.samples = samples;
    cost.rounds = static_cast<double>(reached->traffic.rounds);
    cost.step = step;
  }
}

template <template <int, int> class Solver>
void try_steps(const Site& site, std::span<const double> steps, int trace_every,
               typename Solver<Eigen::Dynamic, Eigen::Dynamic>::Options solver,
               std::vector<Cost>& best) {
  solver.stop.stationarity_tolerance = best.back().gap;
  solver.trace.every = trace_every;
  solver.seed = static_cast<std::uint64_t>(site.seed);
  solver.gossip.rounds = best.back().t;
  for (const double step : steps) {
    solver.step = step;
    LocalChannel channel(site.network);
    note(solve<Solver>(channel, site.problem.objectives, site.problem.start, solver).trace, step,
         best);
  }
}

/// What the method needs at this size for each epsilon, with the best step of the grid; entries
/// that were not reached have a step of 0.
std::vector<Cost> measure(const Table1Method& method, const Site& site,
                          const Table1Options& options) {
  const std::string solver_name = method.solver;
  const int t = method.theory_t ? rounds_of_theory(site.network.slem, site.agents) : 1;
  std::vector<Cost> best;
  for (const double gap : gaps_of(method.name, options)) {
    best.push_back({method.name, site.seed, gap, site.samples_each, site.agents, t, 0, 0, 0});
  }
  if (solver_name == "VRSGT") {
    VrsgtOptions solver;
    solver.stop.max_iterations = options.most_iterations;
    solver.batch = static_cast<int>(std::ceil(std::sqrt(site.samples_each)));  // tau = q = sqrt(l)
    try_steps<Vrsgt>(site, options.steps, kTraceEvery, solver, best);
  } else if (solver_name == "DRGTA") {
    DrgtaOptions solver;
    solver.stop.max_iterations = options.most_iterations;
    try_steps<Drgta>(site, options.steps, kTraceEvery, solver, best);
  } else {
    DrsgdOptions solver;
    solver.batch = options.drsgd_batch;
    solver.stop.max_iterations = options.most_drsgd_iterations;
    try_steps<Drsgd>(site, options.drsgd_steps, kDrsgdTraceEvery, solver, best);
  }
  std::erase_if(best, [](const Cost& cost) { return cost.step == 0; });
  return best;
}

/// Largest first, so that the threads end together.
std::vector<Site> make_sites(const Table1Options& options, const StudyContext& context) {
  const SpectrumOptions& base = options.problem;
  std::vector<std::pair<int, int>> sizes = {{base.agents, base.samples_each}};
  for (const int d : options.agents) sizes.emplace_back(d, base.samples_each);
  for (const int l : options.samples_each) sizes.emplace_back(base.agents, l);
  std::sort(sizes.rbegin(), sizes.rend());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  std::vector<Site> sites;
  for (const auto& [d, l] : sizes) {
    context.say(fmt::format("table1: making data for l = {}, d = {}", l, d));
    for (int seed = 1; seed <= options.seeds; ++seed) {
      SpectrumOptions problem = base;
      problem.agents = d;
      problem.samples_each = l;
      problem.seed = static_cast<std::uint64_t>(seed);
      sites.push_back({seed, l, d, make_spectrum_problem(problem),
                       Network(Graph::erdos_renyi(d, 0.5, problem.seed))});
    }
  }
  return sites;
}

/// The costs of one method and seed that differ in one variable only.
std::optional<double> exponent(const Table1& table, const std::string& method, int seed,
                               int variable, bool of_rounds) {
  const SpectrumOptions& base = table.options.problem;
  const double last_gap = gaps_of(method, table.options).back();
  std::vector<double> x;
  std::vector<double> y;
  for (const Cost& c : table.costs) {
    const bool same_gap = variable == 0 || c.gap == last_gap;
    const bool same_l = variable == 1 || c.samples_each == base.samples_each;
    const bool same_d = variable == 2 || c.agents == base.agents;
    if (c.method != method || c.seed != seed || !same_gap || !same_l || !same_d) continue;
    const double cost = of_rounds ? c.rounds / c.t : c.samples;
    if (!(cost > 0)) continue;  // there from the start
    const double values[] = {1 / c.gap, static_cast<double>(c.samples_each),
                             static_cast<double>(c.agents)};
    x.push_back(values[variable]);
    y.push_back(cost);
  }
  return fit_exponent(x, y);
}

}  // namespace

std::span<const Table1Method> table1_methods() { return kMethods; }

int rounds_of_theory(double slem, int agents) {
  return std::max(1,
                  static_cast<int>(std::ceil(-std::log(2 * std::sqrt(agents)) / std::log(slem))));
}

const std::vector<double>& gaps_of(const std::string& method, const Table1Options& options) {
  return method.starts_with("DRSGD") ? options.drsgd_gaps : options.gaps;
}

std::optional<double> Growth::median() const {
  if (measured.empty()) return std::nullopt;
  return quantile(measured, 0.5);
}

bool Growth::within_bound() const { return median() && *median() <= bound + kTolerance; }

Table1 measure_table1(const Table1Options& options, const StudyContext& context) {
  const std::vector<Site> sites = make_sites(options, context);
  constexpr std::size_t kCount = std::size(kMethods);
  std::vector<std::vector<Cost>> found(sites.size() * kCount);
  parallel_for(context.threads, found.size(), [&](std::size_t k) {
    const Site& site = sites[k / kCount];
    const Table1Method& method = kMethods[kCount - 1 - k % kCount];  // DRSGD, longest, first
    found[k] = measure(method, site, options);
    context.say(fmt::format("table1: {}/{}: {}, l = {}, d = {}, seed {}", k + 1, found.size(),
                            method.name, site.samples_each, site.agents, site.seed));
  });
  Table1 table{options, {}, {}};
  for (const auto& costs : found) {
    table.costs.insert(table.costs.end(), costs.begin(), costs.end());
  }
  for (const Table1Method& method : kMethods) {
    for (int v = 0; v < 3; ++v) {
      for (const bool rounds : {false, true}) {
        Growth growth{method.name,
                      rounds ? "rounds" : "samples",
                      kVariables[v],
                      rounds ? method.rounds[v] : method.samples[v],
                      {}};
        for (int seed = 1; seed <= options.seeds; ++seed) {
          const auto measured = exponent(table, method.name, seed, v, rounds);
          if (measured) growth.measured.push_back(*measured);
        }
        table.growths.push_back(std::move(growth));
      }
    }
  }
  return table;
}

}  // namespace roadplane
