#include "figure2.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "roadplane/base/parallel_for.hpp"
#include "roadplane/pipeline/topology.hpp"
#include "roadplane/solver/rivals/drsgd.hpp"
#include "roadplane/solver/vrsgt.hpp"

namespace roadplane {
namespace {

using Result = SolveResult<Eigen::Dynamic, Eigen::Dynamic>;
constexpr double kDiverged = std::numeric_limits<double>::infinity();

constexpr StepSchedule kSchedules[] = {StepSchedule::constant, StepSchedule::inverse_sqrt,
                                       StepSchedule::inverse};

std::vector<Candidate> grid(const Figure2Options& options) {
  std::vector<Candidate> candidates;
  for (const double step : options.steps) {
    candidates.push_back({true, step, StepSchedule::constant});
    for (const StepSchedule schedule : kSchedules) candidates.push_back({false, step, schedule});
  }
  return candidates;
}

Result run_candidate(const PcaProblem& problem, const Network& network, const Candidate& candidate,
                     const Figure2Options& options, bool whole_trace) {
  const auto set = [&](auto solver, std::int64_t rounds_per_iteration) {
    solver.step = candidate.step;
    solver.batch = options.batch;
    solver.seed = options.seed;
    solver.stop.max_iterations = std::numeric_limits<std::int64_t>::max();
    solver.stop.max_rounds = options.rounds;
    if (whole_trace) {
      solver.trace.every =
          std::max<std::int64_t>(1, options.rounds / rounds_per_iteration / options.trace_entries);
    } else {
      solver.trace.end = true;
    }
    return solver;
  };
  LocalChannel channel(network);
  if (candidate.vrsgt) {
    return solve<Vrsgt>(channel, problem.objectives, problem.start, set(VrsgtOptions{}, 2));
  }
  DrsgdOptions solver = set(DrsgdOptions{}, 1);
  solver.schedule = candidate.schedule;
  return solve<Drsgd>(channel, problem.objectives, problem.start, solver);
}

double final_gap(const Result& result) {
  if (result.termination == Termination::diverged || result.trace.empty()) return kDiverged;
  return result.trace.back().gap.total();
}

Candidate best_of(const std::vector<Figure2Network::Trial>& trials, bool vrsgt) {
  Figure2Network::Trial best{{vrsgt, 0, {}}, kDiverged};
  for (const auto& trial : trials) {
    if (trial.candidate.vrsgt == vrsgt && trial.stagap < best.stagap) best = trial;
  }
  return best.candidate;
}

/// The round from which on curve `a` lies below curve `b`, each b entry holding until its next.
std::int64_t below_from(const std::vector<TraceEntry>& a, const std::vector<TraceEntry>& b) {
  std::int64_t from = 0;
  std::size_t k = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    while (k + 1 < b.size() && b[k + 1].traffic.rounds <= a[i].traffic.rounds) ++k;
    if (a[i].gap.total() < b[k].gap.total()) continue;
    from = i + 1 < a.size() ? a[i + 1].traffic.rounds : -1;
  }
  return from;
}

}  // namespace

std::string Candidate::to_string() const {
  const char* over_epochs[] = {"", "/sqrt(k)", "/k"};
  return fmt::format("{} {:g}{}", vrsgt ? "VRSGT" : "DRSGD", step,
                     over_epochs[static_cast<int>(schedule)]);
}

PcaProblem find_mnist(const std::filesystem::path& data, const Figure2Options& options,
                      std::string& description) {
  for (const char* name : {"train-images-idx3-ubyte", "train-images-idx3-ubyte.gz"}) {
    const std::filesystem::path file = data / "mnist" / name;
    if (!std::filesystem::exists(file)) continue;
    const IdxImages images = read_idx_images(file);
    description = fmt::format("MNIST ({} training pictures of {} x {} pixels)", images.count,
                              images.rows, images.columns);
    return make_image_problem(images, options.agents, options.p, options.seed);
  }
  constexpr int kStandInSamples = 1000;
  description = fmt::format("generated data, NOT MNIST (there is no {} or its .gz)",
                            (data / "mnist" / "train-images-idx3-ubyte").string());
  return make_spectrum_problem({.n = 784,
                                .p = options.p,
                                .agents = options.agents,
                                .samples_each = kStandInSamples,
                                .decay = 0.9,
                                .scale = 5,
                                .seed = options.seed});
}

Figure2 measure_figure2(const PcaProblem& problem, const std::string& data,
                        const Figure2Options& options, const StudyContext& context) {
  Figure2 figure{options, data, problem.samples_each(), {}};
  std::vector<Network> networks;
  const std::vector<Candidate> candidates = grid(options);
  for (const std::string& topology : options.networks) {
    networks.emplace_back(make_graph(topology, options.agents, options.seed));
    Figure2Network& result = figure.networks.emplace_back();
    result.topology = topology;
    result.slem = networks.back().slem;
    result.trials.resize(candidates.size());
  }

  // The whole grid of both methods, everything with the same rounds.
  const std::size_t solves = networks.size() * candidates.size();
  parallel_for(context.threads, solves, [&](std::size_t k) {
    Figure2Network& result = figure.networks[k / candidates.size()];
    const Candidate& candidate = candidates[k % candidates.size()];
    const Network& network = networks[k / candidates.size()];
    const double gap = final_gap(run_candidate(problem, network, candidate, options, false));
    result.trials[k % candidates.size()] = {candidate, gap};
    context.say(fmt::format("figure2: tuning {}/{}: {}, {}: StaGap {:.2e}", k + 1, solves,
                            result.topology, candidate.to_string(), gap));
  });

  // The best of each once more, now looked at all the way, and with other draws.
  const auto runs = 2 * static_cast<std::size_t>(options.seeds);
  for (Figure2Network& result : figure.networks) {
    result.best[0] = best_of(result.trials, true);
    result.best[1] = best_of(result.trials, false);
    result.more.resize(runs - 2);
  }
  parallel_for(context.threads, runs * networks.size(), [&](std::size_t k) {
    Figure2Network& result = figure.networks[k / runs];
    const std::size_t run = k % runs;
    const Candidate& best = result.best[run % 2];
    if (best.step == 0) return;  // all diverged
    Figure2Options drawn = options;
    drawn.seed = options.seed + run / 2;
    NamedTrace& trace = run < 2 ? result.traces[run] : result.more[run - 2];
    trace = {best.to_string(), run_candidate(problem, networks[k / runs], best, drawn, true).trace};
    context.say(fmt::format("figure2: curve {}/{}: {}, {}, seed {}", k + 1, runs * networks.size(),
                            result.topology, trace.name, drawn.seed));
  });
  for (Figure2Network& result : figure.networks) {
    const bool both = !result.traces[0].trace.empty() && !result.traces[1].trace.empty();
    result.below_from_rounds =
        both ? below_from(result.traces[0].trace, result.traces[1].trace) : -1;
  }
  return figure;
}

}  // namespace roadplane
