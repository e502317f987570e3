#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "crossover.hpp"
#include "exponent.hpp"
#include "page.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/compare/band.hpp"
#include "roadplane/viz/plot.hpp"

namespace roadplane {
namespace {

/// What a method took at every size, one run for each seed that got there.
std::vector<Series> runs_of(const Crossover& study, const std::string& method,
                            const std::string& cost, const std::string& variable,
                            double condition) {
  std::vector<Series> runs;
  for (int seed = 1; seed <= study.options.seeds; ++seed) {
    Series run;
    for (const CrossoverSize& size : study.sweep(variable, condition)) {
      const auto amount = study.amount(method, cost, size, seed, study.options.drawn_error);
      if (!amount) continue;
      run.x.push_back(variable == "n" ? size.n : size.samples_each);
      run.y.push_back(*amount);
    }
    if (!run.x.empty()) runs.push_back(std::move(run));
  }
  return runs;
}

/// The median over the seeds of the exponent with which a cost grows; none where it was not reached
/// often enough.
std::optional<double> growth_of(const Crossover& study, const std::string& method,
                                const std::string& cost, const std::string& variable) {
  std::vector<double> exponents;
  for (const Series& run :
       runs_of(study, method, cost, variable, study.options.problem.condition)) {
    if (const auto exponent = fit_exponent(run.x, run.y)) exponents.push_back(*exponent);
  }
  if (exponents.empty()) return std::nullopt;
  return quantile(exponents, 0.5);
}

std::string text_of_crossing(const Crossing& c) {
  if (c.found() == 0) return "nowhere";
  std::vector<double> places;
  for (const auto& place : c.at) {
    if (place) places.push_back(*place);
  }
  const auto middle = c.median();
  std::string text =
      fmt::format("{} ({:.3g} to {:.3g}", middle ? fmt::format("{:.3g}", *middle) : "for few seeds",
                  quantile(places, 0), quantile(places, 1));
  if (places.size() < c.at.size()) {
    text += fmt::format(", {} of {} seeds", places.size(), c.at.size());
  }
  return text + (quantile(places, 0) <= c.least ? "; or below, the least looked at)" : ")");
}

const Crossing& crossing_at(const Crossover& study, const std::string& variable,
                            const std::string& cost, double condition) {
  return *std::find_if(study.crossings.begin(), study.crossings.end(), [&](const Crossing& c) {
    return c.variable == variable && c.cost == cost && c.condition == condition &&
           c.error == study.options.drawn_error;
  });
}

Claim crossing_claim(const Crossover& study, const std::string& variable, const std::string& cost,
                     double condition) {
  const Crossing& c = crossing_at(study, variable, cost, condition);
  return {fmt::format("from some {} on VRSGT takes fewer {} than {}, condition {:g}", variable,
                      cost, c.other, condition),
          c.found() == c.at.size(), fmt::format("{} = {}", variable, text_of_crossing(c))};
}

Claim growth_claim(const Crossover& study, const std::string& method, const std::string& cost,
                   const std::string& variable, double least, double most,
                   const std::string& claim) {
  const auto growth = growth_of(study, method, cost, variable);
  return {claim, growth && *growth >= least && *growth <= most,
          growth ? fmt::format("as {} to the power {:.2f}", variable, *growth) : "not reached"};
}

Outcome judge(const Crossover& study) {
  Outcome outcome;
  const auto add = [&](Claim claim) {
    claim.of_paper = false;
    outcome.claims.push_back(std::move(claim));
  };
  const double base = study.options.problem.condition;
  add(growth_claim(study, "gossip-IRLS", "bytes", "n", 1.7, 2.3,
                   "gossip-IRLS's bytes grow with the square of n"));
  add(growth_claim(study, "VRSGT", "bytes", "n", 0.7, 1.3, "VRSGT's bytes grow with n"));
  for (const double condition : {base, study.options.hard_condition}) {
    add(crossing_claim(study, "n", "bytes", condition));
    add(crossing_claim(study, "n", "rounds", condition));
    add(crossing_claim(study, "n", "messages", condition));
  }
  add(growth_claim(study, "DESTINY", "samples", "l", 0.85, 1.15, "DESTINY's samples grow with l"));
  add(growth_claim(study, "VRSGT", "samples", "l", 0, 0.75,
                   "VRSGT's samples grow about as the square root of l (power below 0.75)"));
  add(crossing_claim(study, "l", "samples", base));
  add(crossing_claim(study, "l", "bytes", base));
  return outcome;
}

std::string setting_text(const CrossoverOptions& o) {
  const HyperplaneOptions& p = o.problem;
  return fmt::format(
      "Generated points of dual principal component pursuit: {:.0f} % near a random hyperplane of "
      "R^n (noise {:g}, variances within it from 1 to 1/{:g}, in a second sweep to 1/{:g}), the "
      "rest anywhere, all of length "
      "sqrt(n). Tukey's loss of x'b with scale {:g}, one direction (p = 1). {} agents on "
      "Erdos-Renyi networks (0.5) with Metropolis weights; l = {} samples each where n changes, "
      "n = {} where l does. All methods minimise the same function from the same start, {:g} rad "
      "off; how a start is found is not counted. Messages are in single precision for all. "
      "Counted: what iterations take until every agent's direction is within the error of the "
      "minimiser, which reweighted least squares with all points at once found; the checks that "
      "tell agents so are not counted, they are the same for all. Every method has the settings "
      "that take least of what is counted, for each size and seed: steps {}, q {} and tau {} for "
      "VRSGT, the steps for DESTINY, tolerances {} of an agreement for gossip-IRLS, the same in "
      "all of its iterations. Seeds 1 to {} "
      "of data, network, start and draws.",
      100 * (1 - p.outliers), p.noise, p.condition, o.hard_condition, p.scale, p.agents,
      p.samples_each, p.n, p.start_rad, fmt::join(o.steps, ", "), fmt::join(o.inner, ", "),
      fmt::join(o.batches, ", "), fmt::join(o.tolerances, ", "), o.seeds);
}

constexpr const char* kPaperText =
    "Nothing of this: the paper compares VRSGT with methods of its own kind. The claims below are "
    "what its complexities (samples as sqrt(l)) and the sizes of messages (n numbers against "
    "n(n+1)/2) let one expect.";

std::string median_cell(const Crossover& study, const std::string& method, const std::string& cost,
                        const CrossoverSize& size) {
  std::vector<double> amounts;
  for (int seed = 1; seed <= study.options.seeds; ++seed) {
    const auto amount = study.amount(method, cost, size, seed, study.options.drawn_error);
    if (amount) amounts.push_back(*amount);
  }
  if (amounts.empty()) return "not reached";
  return fmt::format("{:.4g} ({:.4g} to {:.4g})", quantile(amounts, 0.5), quantile(amounts, 0),
                     quantile(amounts, 1));
}

using Columns = std::vector<std::pair<const char*, const char*>>;  // method and cost

std::string table_of(const Crossover& study, const std::string& variable, double condition,
                     const Columns& columns) {
  std::string text = fmt::format("\nTo {:g} rad, condition {:g}, median (least to most):\n\n| {} |",
                                 study.options.drawn_error, condition, variable);
  for (const auto& [method, cost] : columns) text += fmt::format(" {}, {} |", method, cost);
  text += "\n|---:|";
  for (std::size_t c = 0; c < columns.size(); ++c) text += "---:|";
  for (const CrossoverSize& size : study.sweep(variable, condition)) {
    text += fmt::format("\n| {} |", variable == "n" ? size.n : size.samples_each);
    for (const auto& [method, cost] : columns) {
      text += fmt::format(" {} |", median_cell(study, method, cost, size));
    }
  }
  return text + '\n';
}

std::string measured_text(const Crossover& study) {
  const double base = study.options.problem.condition;
  std::string text =
      "![bytes against n](crossover_bytes.png)\n\n![rounds against n](crossover_rounds.png)\n\n"
      "![samples against l](crossover_samples.png)\n\n"
      "Where VRSGT begins to take less than the other, median (least to most) over the seeds:\n\n"
      "| error [rad] | against | condition | of | from |\n|---:|---|---:|---|---:|\n";
  for (const Crossing& c : study.crossings) {
    text += fmt::format("| {:g} | {} | {:g} | {} | {} = {} |\n", c.error, c.other, c.condition,
                        c.cost, c.variable, text_of_crossing(c));
  }
  const Columns moments = {{"VRSGT", "bytes"},    {"gossip-IRLS", "bytes"},
                           {"VRSGT", "rounds"},   {"gossip-IRLS", "rounds"},
                           {"VRSGT", "messages"}, {"gossip-IRLS", "messages"}};
  text += table_of(study, "n", base, moments);
  text += table_of(study, "n", study.options.hard_condition, moments);
  text += table_of(
      study, "l", base,
      {{"VRSGT", "samples"}, {"DESTINY", "samples"}, {"VRSGT", "bytes"}, {"DESTINY", "bytes"}});
  return text +
         "\nBytes are those that an agent sends, samples those of one agent. X and D of one "
         "message are two rounds by the paper's count; messages are what an agent waits for. "
         "All sizes, "
         "errors, seeds and the settings chosen: `crossover.csv`.";
}

/// A curve of a figure.
struct Line {
  std::string method;
  double condition;
};

void draw(const Crossover& study, const std::filesystem::path& file, const std::string& cost,
          const std::string& variable, const std::vector<Line>& lines, const std::string& y_label) {
  std::vector<viz::Curve> curves;
  for (const auto& [method, condition] : lines) {
    const auto runs = runs_of(study, method, cost, variable, condition);
    const bool base = condition == study.options.problem.condition;
    const std::string name = base ? method : fmt::format("{}, condition {:g}", method, condition);
    if (!runs.empty()) curves.push_back(band_of(name, runs));
  }
  viz::PlotOptions options{
      fmt::format("Until every agent is within {:g} rad", study.options.drawn_error),
      variable == "n" ? "dimension n" : "samples that an agent holds, l", y_label};
  options.log_x = true;
  viz::write_plots(file, curves, options);
}

nlohmann::json json_of(const Crossing& c) {
  nlohmann::json places = nlohmann::json::array();
  for (const auto& place : c.at) places.push_back(place ? nlohmann::json(*place) : nullptr);
  return {{"cost", c.cost},     {"variable", c.variable}, {"condition", c.condition},
          {"method", c.method}, {"other", c.other},       {"error_rad", c.error},
          {"at", places}};
}

}  // namespace

Outcome write_crossover(const Crossover& study, const std::filesystem::path& folder) {
  const Outcome outcome = judge(study);
  std::string csv = "method,cost,n,l,condition,seed,error_rad,amount,setting\n";
  for (const CrossoverCost& c : study.costs) {
    csv += fmt::format("{},{},{},{},{:g},{},{:g},{:.0f},\"{}\"\n", c.method, c.cost, c.size.n,
                       c.size.samples_each, c.size.condition, c.seed, c.error, c.amount, c.setting);
  }
  write_file_atomically(folder / "crossover.csv", csv);
  const double base = study.options.problem.condition;
  const double hard = study.options.hard_condition;
  const std::vector<Line> moments = {
      {"VRSGT", base}, {"gossip-IRLS", base}, {"VRSGT", hard}, {"gossip-IRLS", hard}};
  draw(study, folder / "crossover_bytes.png", "bytes", "n", moments, "bytes that an agent sends");
  draw(study, folder / "crossover_rounds.png", "rounds", "n", moments, "communication rounds");
  draw(study, folder / "crossover_samples.png", "samples", "l",
       {{"VRSGT", base}, {"DESTINY", base}}, "samples that an agent evaluates");
  nlohmann::json crossings = nlohmann::json::array();
  for (const Crossing& c : study.crossings) crossings.push_back(json_of(c));
  write_json(folder / "crossover.json", {{"crossings", crossings}}, outcome);
  write_page(folder,
             {"Where VRSGT pays: against gossip-IRLS in n, against DESTINY in l",
              setting_text(study.options), kPaperText, measured_text(study)},
             outcome);
  return outcome;
}

}  // namespace roadplane
