#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "roadplane/base/file.hpp"
#include "roadplane/base/number_table.hpp"
#include "roadplane/pipeline/topology.hpp"
#include "roadplane/results/json_text.hpp"
#include "roadplane/results/tables.hpp"
#include "roadplane/subspace/solve_table.hpp"

namespace roadplane {
namespace {

NumberTable table_of(const Eigen::MatrixXd& x) {
  NumberTable table{static_cast<std::size_t>(x.rows()), static_cast<std::size_t>(x.cols()), {}};
  for (Eigen::Index r = 0; r < x.rows(); ++r) {
    for (Eigen::Index c = 0; c < x.cols(); ++c) table.values.push_back(x(r, c));
  }
  return table;
}

std::string columns_text(const SolveRecord& record) {
  const bool exact = !record.exact_eigenvalues.empty();
  std::string text = fmt::format("{:>6}  {:>12}  {:>12}{}\n", "column", "mean |x'd|",
                                 exact ? "eigenvalue" : "mean (x'd)^2",
                                 exact ? fmt::format("  {:>12}", "exact") : "");
  constexpr std::size_t kShown = 20;
  for (std::size_t c = 0; c < std::min(kShown, record.columns.size()); ++c) {
    text += fmt::format("{:>6}  {:>12.6g}  {:>12.6g}{}\n", c + 1, record.columns[c].mean_abs,
                        record.columns[c].mean_square,
                        exact ? fmt::format("  {:>12.6g}", record.exact_eigenvalues[c]) : "");
  }
  if (record.columns.size() > kShown) {
    text += fmt::format("... and {} more\n", record.columns.size() - kShown);
  }
  return text;
}

}  // namespace

nlohmann::json to_json(const SolveRecord& record) {
  nlohmann::json json = {{"points", record.points},
                         {"n", record.n},
                         {"p", record.p},
                         {"termination", to_string(record.termination)},
                         {"iterations", record.iterations},
                         {"step", record.step},
                         {"step_halvings", record.step_halvings},
                         {"curvature", record.curvature},
                         {"rounds", record.traffic.rounds},
                         {"messages", record.messages},
                         {"bytes_per_agent", record.bytes_per_agent},
                         {"samples", record.samples},
                         {"seconds", record.seconds},
                         {"objective", record.objective},
                         {"stationarity_gap", record.gap.total()},
                         {"stationarity",
                          {{"gradient", record.gap.gradient},
                           {"consensus", record.gap.consensus},
                           {"feasibility", record.gap.feasibility}}},
                         {"consensus_error", record.consensus_error}};
  for (const SolveRecord::Column& column : record.columns) {
    json["columns"].push_back({{"mean_abs", column.mean_abs}, {"mean_square", column.mean_square}});
  }
  if (record.within_scale) json["within_scale"] = *record.within_scale;
  if (!record.exact_eigenvalues.empty()) json["exact_eigenvalues"] = record.exact_eigenvalues;
  const auto add = [&json](const char* key, const std::optional<double>& value) {
    if (value) json[key] = *value;
  };
  add("exact_subspace_error", record.exact_subspace_error);
  add("subspace_error", record.subspace_error);
  add("subspace_error_worst_agent", record.subspace_error_worst_agent);
  return json;
}

std::optional<std::string> why_unsolved(const SolveRecord& record) {
  if (record.termination == Termination::diverged) return "diverged: the step is too long";
  const auto dimension = static_cast<std::size_t>(record.n - record.p);
  if (record.within_scale && *record.within_scale < dimension) {
    return fmt::format("a subspace of dimension {} is not determined by {} points within the scale",
                       dimension, *record.within_scale);
  }
  return std::nullopt;
}

std::string solved_text(const Solved& solved, const SolveConfig& config) {
  const SolveRecord& r = solved.record;
  std::string text = fmt::format(
      "problem            {}, n = {}, p = {}: {} points over {} agents ({})\n"
      "solver             {}, step {:.3g}: {} after {} iterations\n"
      "cost               {} rounds, {:.1f} kB sent per agent, {} samples, {:.3g} s\n"
      "objective          {:.8g}\n"
      "StaGap             {:.2e} (gradient {:.2e}, consensus {:.2e}, feasibility {:.2e})\n"
      "consensus error    {:.2e}\n",
      config.objective, r.n, r.p, r.points, config.agents, config.topology, config.solver, r.step,
      to_string(r.termination), r.iterations, r.traffic.rounds, r.bytes_per_agent / 1e3, r.samples,
      r.seconds, r.objective, r.gap.total(), r.gap.gradient, r.gap.consensus, r.gap.feasibility,
      r.consensus_error);
  if (r.within_scale) text += fmt::format("within the scale   {} points\n", *r.within_scale);
  if (r.exact_subspace_error) {
    text += fmt::format("subspace error     {:.2e} against the exact components\n",
                        *r.exact_subspace_error);
  }
  if (r.subspace_error) {
    text += fmt::format("subspace error     {:.2e} against {}\n", *r.subspace_error, config.truth);
  }
  return text + "\n" + columns_text(r);
}

void write_solved(const Solved& solved, const SolveConfig& config,
                  const std::filesystem::path& folder) {
  const NumberTable x = table_of(solved.x);
  write_file_atomically(folder / ("X." + config.format),
                        config.format == "npy" ? to_npy(x) : to_csv(x));
  const Graph graph = make_graph(config.topology, config.agents, config.seed);
  write_file_atomically(folder / "trace.csv",
                        trace_csv(solved.trace, graph, "subspace_error", solved.trace_errors));
  write_file_atomically(folder / "solve.json", text_of(to_json(solved.record), 1) + "\n");
}

}  // namespace roadplane
