#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "roadplane/base/file.hpp"
#include "roadplane/study/page.hpp"
#include "roadplane/study/table1.hpp"
#include "roadplane/viz/plot.hpp"

namespace roadplane {
namespace {

constexpr const char* kMethods[] = {"VRSGT", "DESTINY", "DRGTA", "DRSGD"};
/// Between the square root and the straight line that full gradients give.
constexpr double kBetterThanLinear = 0.75;

const Growth& growth_of(const Table1& table, const std::string& method, const std::string& cost,
                        const std::string& variable) {
  return *std::find_if(table.growths.begin(), table.growths.end(), [&](const Growth& g) {
    return g.method == method && g.cost == cost && g.variable == variable;
  });
}

std::string number(const std::optional<double>& exponent) {
  return exponent ? fmt::format("{:.2f}", *exponent) : std::string("-");
}

Outcome judge(const Table1& table) {
  std::string beyond;
  for (const Growth& g : table.growths) {
    if (g.within_bound()) continue;
    beyond += fmt::format(" {} {} against {} ({}, bound {:g}).", g.method, g.cost, g.variable,
                          g.measured ? number(g.measured) : "not reached", g.bound);
  }
  const auto& vrsgt = growth_of(table, "VRSGT", "samples", "l").measured;
  const auto& full = growth_of(table, "DESTINY", "samples", "l").measured;
  const bool saves = vrsgt && *vrsgt <= kBetterThanLinear;
  const std::string root = fmt::format(
      "VRSGT's samples grow as l^{} (theory 0.5), those of full gradients as l^{} (theory 1), and "
      "its rounds as l^{} (theory 0).",
      number(vrsgt), number(full), number(growth_of(table, "VRSGT", "rounds", "l").measured));
  if (!beyond.empty()) return {false, root + " Beyond the bound:" + beyond};
  return {saves, root +
                     " No cost grows faster than its bound (plus 0.15 for the grain of whole "
                     "full gradients). The bounds are derived, not the paper's print: see above."};
}

std::string setting_text(const Table1Options& o) {
  const SpectrumOptions& s = o.problem;
  return fmt::format(
      "PCA of a synthetic matrix with eigenvalues {:g}^i, n = {}, p = {}; Erdos-Renyi networks "
      "(0.5), Metropolis weights. Base size l = {}, d = {}; one of epsilon, l, d is changed at a "
      "time. Counted until StaGap <= epsilon for the first time: component gradients per agent "
      "(samples) and communication rounds in the paper's count, with the best step of a grid for "
      "each method and size. VRSGT has tau = q = sqrt(l); DRSGD has batch {} and a constant step, "
      "and is asked for epsilon down to {:g} only, because it would take too long below; the "
      "sweeps "
      "over l and d are at each method's smallest epsilon. Exponents are least-squares fits in "
      "logarithms, of one run each (seed {}).",
      s.decay, s.n, s.p, s.samples_each, s.agents, o.drsgd_batch, o.drsgd_gaps.back(), s.seed);
}

constexpr const char* kPaperText =
    "The complexities of decentralised methods under orthogonality constraints; VRSGT reduces "
    "sampling and communication at the same time. We did not have the printed table at hand, so "
    "the exponents below are derived: VRSGT converges as O(1/k) (the paper's abstract), which with "
    "tau = q = sqrt(l) is O(l + sqrt(l)/eps) samples per agent and O(1/eps) rounds. Full gradients "
    "at the same rate (DESTINY; DRGTA, O(1/k) by Chen et al. 2021) take O(l/eps) samples and "
    "O(1/eps) rounds. DRSGD converges as O(1/sqrt(k)) (Chen et al. 2021), so it takes O(1/eps^2) "
    "of "
    "both, whatever l is. None of them depends on d other than through the network's SLEM, which "
    "does not grow here. These are upper bounds for any smooth problem; near a solution PCA is "
    "better behaved, and the exact methods converge linearly.";

std::string measured_text(const Table1& table) {
  std::string text =
      "![samples against l](table1.png)\n\n"
      "Exponents: measured (theory's bound).\n\n"
      "| method | samples, 1/eps | samples, l | samples, d | rounds, 1/eps | rounds, l | rounds, d "
      "|\n|---|---:|---:|---:|---:|---:|---:|\n";
  for (const char* method : kMethods) {
    text += fmt::format("| {} |", method);
    for (const char* cost : {"samples", "rounds"}) {
      for (const char* variable : {"1/eps", "l", "d"}) {
        const Growth& g = growth_of(table, method, cost, variable);
        text += fmt::format(" {} ({:g}) |", number(g.measured), g.bound);
      }
    }
    text += '\n';
  }
  text +=
      "\nAt the base size:\n\n| method | epsilon | samples per agent | rounds | step |\n"
      "|---|---:|---:|---:|---:|\n";
  for (const Cost& c : table.costs) {
    if (c.agents != table.options.problem.agents ||
        c.samples_each != table.options.problem.samples_each) {
      continue;
    }
    text += fmt::format("| {} | {:g} | {:.0f} | {:.0f} | {:g} |\n", c.method, c.gap, c.samples,
                        c.rounds, c.step);
  }
  return text + "\nAll sizes: `table1.csv`; exponents: `table1.json`.";
}

/// Samples against l at the smallest epsilon that a method was asked for.
void plot_samples(const Table1& table, const std::filesystem::path& file) {
  std::vector<viz::Curve> curves;
  for (const char* method : kMethods) {
    const double gap = gaps_of(method, table.options).back();
    viz::Curve curve{fmt::format("{}, ε = {:g}", method, gap), {}, {}};
    for (auto c = table.costs.rbegin(); c != table.costs.rend(); ++c) {  // l ascending
      if (c->method != method || c->gap != gap || c->agents != table.options.problem.agents) {
        continue;
      }
      curve.x.push_back(c->samples_each);
      curve.y.push_back(c->samples);
    }
    curves.push_back(std::move(curve));
  }
  viz::PlotOptions options{"Samples per agent until StaGap ≤ ε", "samples that an agent holds, l",
                           "samples evaluated per agent"};
  options.log_x = true;
  viz::write_plot(file, curves, options);
}

}  // namespace

Outcome write_table1(const Table1& table, const std::filesystem::path& folder) {
  const Outcome outcome = judge(table);
  std::string csv = "method,epsilon,l,d,samples_per_agent,rounds,step\n";
  for (const Cost& c : table.costs) {
    csv += fmt::format("{},{:g},{},{},{:.0f},{:.0f},{:g}\n", c.method, c.gap, c.samples_each,
                       c.agents, c.samples, c.rounds, c.step);
  }
  write_file_atomically(folder / "table1.csv", csv);
  plot_samples(table, folder / "table1.png");
  nlohmann::json growths = nlohmann::json::array();
  for (const Growth& g : table.growths) {
    growths.push_back({{"method", g.method},
                       {"cost", g.cost},
                       {"variable", g.variable},
                       {"bound", g.bound},
                       {"measured", g.measured ? nlohmann::json(*g.measured) : nlohmann::json()},
                       {"within_bound", g.within_bound()}});
  }
  write_json(folder / "table1.json", {{"exponents", growths}}, outcome);
  write_page(folder,
             {"Table 1: complexities, checked by experiment", setting_text(table.options),
              kPaperText, measured_text(table)},
             outcome);
  return outcome;
}

}  // namespace roadplane
