#include "figure1.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>

#include "roadplane/base/parallel_for.hpp"
#include "roadplane/solver/vrsgt.hpp"

namespace roadplane {
namespace {

constexpr double kAlike = 2;        ///< curves within this factor are called alike
constexpr double kConverged = 1e3;  ///< StaGap must fall by this factor for the figure to say much

/// The curves of a seed come from the same number of iterations and rounds, entry by entry.
double largest_ratio_of(std::span<const NamedTrace> traces, std::size_t seeds) {
  if (seeds > 1) {
    double largest = 1;
    for (std::size_t s = 0; s < seeds; ++s) {
      std::vector<NamedTrace> own;
      for (std::size_t k = s; k < traces.size(); k += seeds) own.push_back(traces[k]);
      largest = std::max(largest, largest_ratio_of(own, 1));
    }
    return largest;
  }
  std::size_t entries = std::numeric_limits<std::size_t>::max();
  for (const NamedTrace& t : traces) entries = std::min(entries, t.trace.size());
  double largest = 1;
  for (std::size_t k = 0; k < entries; ++k) {
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    for (const NamedTrace& t : traces) {
      least = std::min(least, t.trace[k].gap.total());
      most = std::max(most, t.trace[k].gap.total());
    }
    largest = std::max(largest, most / least);
  }
  return largest;
}

double fall(const NamedTrace& t) {
  return t.trace.front().gap.total() / t.trace.back().gap.total();
}

Outcome judge(const Figure1& figure) {
  bool ended = true;
  double least_fall = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < figure.traces.size(); ++k) {
    ended = ended && figure.terminations[k] == to_string(Termination::round_limit);
    least_fall = std::min(least_fall, fall(figure.traces[k]));
  }
  const std::string fell = fmt::format("StaGap falls by a factor of {:.2g} or more", least_fall);
  return {{{"VRSGT converges with the printed step", ended && least_fall >= kConverged,
            ended ? fell + fmt::format(" ({:g} is asked for)", kConverged)
                  : "not every penalty's solve came to its end"},
           {fmt::format("the curves of penalties from {:g} to {:g} nearly coincide",
                        figure.options.penalties.front(), figure.options.penalties.back()),
            ended && figure.largest_ratio <= kAlike,
            fmt::format("at equal rounds they differ by a factor of {:.4g} at most, of {} seeds "
                        "({:g} is the limit)",
                        figure.largest_ratio, figure.options.seeds, kAlike)}}};
}

std::string setting_text(const Figure1Options& o) {
  const SpectrumOptions& s = o.problem;
  const double orthonormal = s.decay / (s.agents * s.samples_each);
  return fmt::format(
      "PCA of the synthetic matrix A = U Sigma V', Sigma_ii = xi^(i/2), n = {}, m = {}, xi = {:g}, "
      "p = {}; d = {} agents on an Erdos-Renyi network (0.5) with Metropolis weights; VRSGT with "
      "eta = {:g}, batch {}, q = sqrt(l). All penalties have the same data, network, start and "
      "draws.\n\n"
      "Scaling: f_i = -1/(2l) sum_j ||X'a_j||^2. With orthonormal columns in U and V the second "
      "moment A A'/m has the largest eigenvalue {:.1e}, and a step of {:g} would move nothing. We "
      "multiply A A'/m by m and by {:g}: that is A with (for {:g} = n) entries of unit variance in "
      "U and V. Its largest eigenvalue is {:.4g}, so eta times it is {:.2g}. Which scaling the "
      "paper used is not known to us.",
      s.n, s.agents * s.samples_each, s.decay, s.p, s.agents, o.step, o.batch, orthonormal, o.step,
      s.scale, s.scale, s.scale * s.decay, o.step * s.scale * s.decay);
}

std::string measured_text(const Figure1& figure) {
  std::string text =
      "![StaGap against rounds](figure1.png)\n\n"
      "| beta | seed | StaGap at the start | at the end | rounds | ended by |\n"
      "|---:|---:|---:|---:|---:|---|\n";
  const auto seeds = static_cast<std::size_t>(figure.options.seeds);
  for (std::size_t k = 0; k < figure.traces.size(); ++k) {
    const auto& trace = figure.traces[k].trace;
    text +=
        fmt::format("| {:g} | {} | {:.3e} | {:.3e} | {} | {} |\n",
                    figure.options.penalties[k / seeds], 1 + k % seeds, trace.front().gap.total(),
                    trace.back().gap.total(), trace.back().traffic.rounds, figure.terminations[k]);
  }
  const SpectrumOptions& s = figure.options.problem;
  text += fmt::format(
      "\nThere is a reason: for PCA the direction G itself pulls X back to X'X = I, at a rate of 3 "
      "lambda_p or more (here {:.3g}); the penalty adds 2 beta to that. And most of StaGap is its "
      "gradient part, which beta hardly touches.\n",
      3 * s.scale * std::pow(s.decay, s.p));
  return text + "\nNumbers of the curves: `figure1.csv`.";
}

}  // namespace

Figure1 measure_figure1(const Figure1Options& options, const StudyContext& context) {
  context.say("figure1: making the matrix");
  const PcaProblem problem = make_spectrum_problem(options.problem);
  const auto seeds = static_cast<std::size_t>(options.seeds);
  std::vector<Network> networks;
  for (std::size_t s = 0; s < seeds; ++s) {
    networks.emplace_back(
        Graph::erdos_renyi(options.problem.agents, 0.5, options.problem.seed + s));
  }
  Figure1 figure{options, {}, {}, 0};
  figure.traces.resize(options.penalties.size() * seeds);
  figure.terminations.resize(figure.traces.size());
  parallel_for(context.threads, figure.traces.size(), [&](std::size_t k) {
    const double penalty = options.penalties[k / seeds];
    VrsgtOptions solver;
    solver.step = options.step;
    solver.penalty = penalty;
    solver.seed = 1 + k % seeds;
    solver.batch = options.batch;
    solver.stop.max_iterations = std::numeric_limits<std::int64_t>::max();
    solver.stop.max_rounds = options.rounds;
    solver.trace.every = options.trace_every;
    LocalChannel channel(networks[k % seeds]);
    auto result = solve<Vrsgt>(channel, problem.objectives, problem.start, solver);
    figure.traces[k] = {fmt::format("β = {:g}", penalty), std::move(result.trace)};
    figure.terminations[k] = to_string(result.termination);
    context.say(fmt::format("figure1: beta = {:g}: StaGap {:.2e} after {} rounds", penalty,
                            figure.traces[k].trace.back().gap.total(), result.traffic.rounds));
  });
  figure.largest_ratio = largest_ratio_of(figure.traces, seeds);
  return figure;
}

Outcome write_figure1(const Figure1& figure, const std::filesystem::path& folder) {
  const Outcome outcome = judge(figure);
  const Figure1Options& o = figure.options;
  write_traces(folder, "figure1", "VRSGT and the penalty β, synthetic PCA", figure.traces);
  nlohmann::json curves = nlohmann::json::array();
  for (std::size_t k = 0; k < figure.traces.size(); ++k) {
    const auto& trace = figure.traces[k].trace;
    curves.push_back({{"beta", o.penalties[k / static_cast<std::size_t>(o.seeds)]},
                      {"stagap_start", trace.front().gap.total()},
                      {"stagap_end", trace.back().gap.total()},
                      {"rounds", trace.back().traffic.rounds},
                      {"termination", figure.terminations[k]}});
  }
  write_json(folder / "figure1.json",
             {{"n", o.problem.n},
              {"p", o.problem.p},
              {"agents", o.problem.agents},
              {"samples_per_agent", o.problem.samples_each},
              {"xi", o.problem.decay},
              {"scale", o.problem.scale},
              {"seed", o.problem.seed},
              {"step", o.step},
              {"batch", o.batch},
              {"curves", curves},
              {"largest_ratio_at_equal_rounds", figure.largest_ratio}},
             outcome);
  write_page(folder,
             {"Figure 1: insensitivity to the penalty beta", setting_text(o),
              "StaGap against communication rounds for several beta: the curves nearly coincide.",
              measured_text(figure)},
             outcome);
  return outcome;
}

}  // namespace roadplane
