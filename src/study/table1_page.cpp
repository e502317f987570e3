#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "page.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/compare/band.hpp"
#include "roadplane/viz/plot.hpp"
#include "table1.hpp"

namespace roadplane {
namespace {

/// The cell as it is printed.
const char* printed(const Table1Method& method, const std::string& cost) {
  const bool samples = cost == "samples";
  const std::string_view solver = method.solver;
  if (solver == "VRSGT") return samples ? "d sqrt(l) / eps" : "1 / eps";
  if (solver == "DRGTA") return samples ? "d l / eps" : "t / eps";
  return samples ? "d / eps^2" : "t / eps^2";
}

const Growth& growth_of(const Table1& table, const std::string& method, const std::string& cost,
                        const std::string& variable) {
  return *std::find_if(table.growths.begin(), table.growths.end(), [&](const Growth& g) {
    return g.method == method && g.cost == cost && g.variable == variable;
  });
}

/// The median over the seeds, and from where to where they go.
std::string number(const Growth& g) {
  if (!g.median()) return "not reached";
  return fmt::format("{:.2f} ({:.2f} to {:.2f})", *g.median(), quantile(g.measured, 0),
                     quantile(g.measured, 1));
}

/// A printed cell: all of its variables together. With one round of mixing it is none that the
/// paper prints.
Claim cell_claim(const Table1& table, const Table1Method& method, const std::string& cost) {
  Claim claim{
      fmt::format("{}: {} are O({})", method.name,
                  cost == "samples" ? "the network's samples" : "rounds", printed(method, cost)),
      true, "", method.theory_t || std::string_view(method.solver) == "VRSGT"};
  for (const char* variable : {"1/eps", "l", "d"}) {
    const Growth& g = growth_of(table, method.name, cost, variable);
    claim.agrees = claim.agrees && g.within_bound();
    claim.why += fmt::format("{}{}: {}, bound {:g}{}", claim.why.empty() ? "" : "; ", variable,
                             number(g), g.bound, g.within_bound() ? "" : " **exceeded**");
  }
  return claim;
}

Outcome judge(const Table1& table) {
  Outcome outcome;
  for (const Table1Method& method : table1_methods()) {
    for (const char* cost : {"samples", "rounds"}) {
      outcome.claims.push_back(cell_claim(table, method, cost));
    }
  }
  const Growth& vrsgt = growth_of(table, "VRSGT", "samples", "l");
  const Growth& full = growth_of(table, "DRGTA, t by theory", "samples", "l");
  const Growth& once = growth_of(table, "DRGTA, t = 1", "samples", "l");
  outcome.claims.push_back(
      {"VRSGT's samples grow more slowly with l than those of full gradients",
       vrsgt.median() && full.median() && *vrsgt.median() < *full.median() - 0.25,
       fmt::format("as l to the power {} against {} of DRGTA with t by theory ({} with t = 1)",
                   number(vrsgt), number(full), number(once)),
       false});
  return outcome;
}

std::string setting_text(const Table1Options& o) {
  const SpectrumOptions& s = o.problem;
  return fmt::format(
      "PCA of a synthetic matrix with eigenvalues {:g}^i, n = {}, p = {}; Erdos-Renyi networks "
      "(0.5), Metropolis weights. Base size l = {}, d = {}; one of epsilon, l, d is changed at a "
      "time. Counted until StaGap <= epsilon for the first time: component gradients of the whole "
      "network (samples) and communication rounds in the paper's count, everything included, with "
      "the best step of a grid for each method and size. VRSGT has tau = q = sqrt(l). DRGTA and "
      "DRSGD run with t = 1 round of mixing per iteration and with the "
      "t = ceil(log_lambda(1/(2 sqrt d))) that their theory asks for; their rounds are divided by "
      "t before exponents are fitted, since the table has t as a factor of its own. DRSGD has "
      "batch {} and a constant step, and is asked for epsilon down to {:g} only, because it would "
      "take too long below; the sweeps over l and d are at each method's smallest epsilon. "
      "Exponents are least-squares fits in logarithms, one per seed (data, network and draws): "
      "median (least to most) of {}. A cell agrees if no exponent's median exceeds its bound by "
      "more than 0.15, the grain of whole full gradients.",
      s.decay, s.n, s.p, s.samples_each, s.agents, o.drsgd_batch, o.drsgd_gaps.back(), o.seeds);
}

constexpr const char* kPaperText =
    "Sample and communication complexities to StaGap <= eps, of the whole network:\n\n"
    "| | samples | communication rounds |\n|---|---|---|\n"
    "| DRGTA | O(d l / eps) | O(t / eps) |\n"
    "| DRSGD | O(d / eps^2) | O(t / eps^2) |\n"
    "| VRSGT | O(d sqrt(l) / eps) | O(1 / eps) |\n\n"
    "with t >= ceil(O(-log_lambda(2 sqrt d))) rounds of mixing per iteration, which on sparse "
    "networks can be O(d^2 log d). These are upper bounds for any smooth problem; near a solution "
    "PCA is better behaved, and the exact methods converge linearly.";

std::string measured_text(const Table1& table) {
  std::string text =
      "![samples against l](table1.png)\n\n"
      "Exponents: measured; the bound is in the list of claims.\n\n"
      "| method | samples, 1/eps | samples, l | samples, d | rounds/t, 1/eps | rounds/t, l | "
      "rounds/t, d |\n|---|---:|---:|---:|---:|---:|---:|\n";
  for (const Table1Method& method : table1_methods()) {
    text += fmt::format("| {} |", method.name);
    for (const char* cost : {"samples", "rounds"}) {
      for (const char* variable : {"1/eps", "l", "d"}) {
        text += fmt::format(" {} |", number(growth_of(table, method.name, cost, variable)));
      }
    }
    text += '\n';
  }
  text +=
      "\nAt the base size, seed 1:\n\n| method | t | epsilon | samples of the network | rounds | "
      "step |\n|---|---:|---:|---:|---:|---:|\n";
  for (const Cost& c : table.costs) {
    if (c.agents != table.options.problem.agents || c.seed != 1 ||
        c.samples_each != table.options.problem.samples_each) {
      continue;
    }
    text += fmt::format("| {} | {} | {:g} | {:.0f} | {:.0f} | {:g} |\n", c.method, c.t, c.gap,
                        c.samples, c.rounds, c.step);
  }
  return text + "\nAll sizes and seeds: `table1.csv`; exponents: `table1.json`.";
}

/// Samples against l at the smallest epsilon that a method was asked for, over the seeds.
void plot_samples(const Table1& table, const std::filesystem::path& file) {
  std::vector<viz::Curve> curves;
  for (const Table1Method& method : table1_methods()) {
    const double gap = gaps_of(method.name, table.options).back();
    std::vector<Series> runs(static_cast<std::size_t>(table.options.seeds));
    for (auto c = table.costs.rbegin(); c != table.costs.rend(); ++c) {  // l ascending
      if (c->method != method.name || c->gap != gap || c->agents != table.options.problem.agents) {
        continue;
      }
      Series& run = runs[static_cast<std::size_t>(c->seed - 1)];
      run.x.push_back(c->samples_each);
      run.y.push_back(c->samples);
    }
    std::erase_if(runs, [](const Series& run) { return run.x.empty(); });
    if (!runs.empty()) {
      curves.push_back(band_of(fmt::format("{}, ε = {:g}", method.name, gap), runs));
    }
  }
  viz::PlotOptions options{"Samples of the network until StaGap ≤ ε",
                           "samples that an agent holds, l", "samples evaluated"};
  options.log_x = true;
  viz::write_plots(file, curves, options);
}

}  // namespace

Outcome write_table1(const Table1& table, const std::filesystem::path& folder) {
  const Outcome outcome = judge(table);
  std::string csv = "method,seed,t,epsilon,l,d,samples,rounds,step\n";
  for (const Cost& c : table.costs) {
    csv += fmt::format("\"{}\",{},{},{:g},{},{},{:.0f},{:.0f},{:g}\n", c.method, c.seed, c.t, c.gap,
                       c.samples_each, c.agents, c.samples, c.rounds, c.step);
  }
  write_file_atomically(folder / "table1.csv", csv);
  plot_samples(table, folder / "table1.png");
  nlohmann::json growths = nlohmann::json::array();
  for (const Growth& g : table.growths) {
    growths.push_back({{"method", g.method},
                       {"cost", g.cost},
                       {"variable", g.variable},
                       {"bound", g.bound},
                       {"measured", g.measured},
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
