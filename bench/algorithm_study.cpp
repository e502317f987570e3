// What each difference between Algorithm 1 as the paper prints it and the default solve buys, on
// recordings: the default with one difference taken back, row by row, and with all of them.
//
//   algorithm_study DATA [--sets NAME,...] [--streets] [--seeds N]
//
// Prints the Markdown tables of docs/lab/plane.md. Every row solves the same frames from the same
// coarse start; the last one does not descend from it. "Not at rest" counts solves that reached the
// limit of iterations. Distances are those of the worst agent from the exact minimiser of the loss,
// which only an observer knows, before the first iteration and at the end.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <sstream>
#include <stdexcept>

#include "plane_study_problems.hpp"
#include "roadplane/dpcp/find_plane.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/evaluation/statistics.hpp"
#include "roadplane/geometry/shards.hpp"

namespace {

using namespace roadplane;
using plane_study::Problem;

constexpr int kAgents = 16;

/// The default with something taken back.
struct Variant {
  const char* name;
  std::function<void(PlaneOptions&, Network&)> change;
};

RobustOptions& robust(PlaneOptions& options) { return std::get<RobustOptions>(options.objective); }

void q_as_printed(PlaneOptions& options, Network&) {  // q = tau = ceil(sqrt(l)), l samples each
  const double samples = static_cast<double>(columns_enough(options, kAgents));
  const int root = static_cast<int>(std::ceil(std::sqrt(samples)));
  robust(options).inner_iterations = root;
  std::get<VrsgtOptions>(options.solver).batch = root;
}
void one_step(PlaneOptions& options, Network&) {  // half-way is not reached
  std::get<VrsgtOptions>(options.solver).stop.max_iterations = robust(options).max_iterations;
  robust(options).max_iterations *= 2;
}
void one_message(PlaneOptions& options, Network&) { robust(options).gossip_rounds = 1; }
void single_precision(PlaneOptions&, Network& network) { network.wire = Wire::single; }
/// As good as none: what the start alone is worth.
void no_descent(PlaneOptions& options, Network&) {
  robust(options).max_iterations = 1;
  robust(options).step = 1e-9;
}
void as_printed(PlaneOptions& options, Network& network) {
  q_as_printed(options, network);
  one_step(options, network);
  one_message(options, network);
  single_precision(options, network);
}

const std::vector<Variant>& variants() {
  static const std::vector<Variant> all{
      {"default", [](PlaneOptions&, Network&) {}},
      {"q = tau = sqrt(l), as printed", q_as_printed},
      {"one step throughout, not 0.3 of it after 96 iterations", one_step},
      {"single precision in place of 8 bits", single_precision},
      {"one message per iteration (t = 1), no Chebyshev mixing", one_message},
      {"beta = 0", [](PlaneOptions& o, Network&) { std::get<VrsgtOptions>(o.solver).penalty = 0; }},
      {"Algorithm 1 as printed: all of these but beta", as_printed},
      {"no descent: the start alone", no_descent},
  };
  return all;
}

/// What the solves of a variant gave.
struct Solves {
  std::vector<double> iterations, messages, rounds, kilobytes, samples, starts, distances, errors;
  int lost = 0;      ///< no plane
  int restless = 0;  ///< the limit of iterations
  int all = 0;
};

void add(const Problem& problem, const Variant& variant, const Network& plain, std::uint64_t seed,
         std::span<const HomogeneousCloud> clouds, Solves& solves) {
  Network network = plain;
  PlaneOptions options;
  robust(options).sought = plane_sought(problem.target());
  variant.change(options, network);
  auto& solver = std::get<VrsgtOptions>(options.solver);
  solver.seed = seed;
  solver.trace.end = solver.trace.minimiser = true;
  solver.trace.growth = 1e6;  // an entry at the start, too
  LocalChannel channel(network);
  const PlaneFit fit = find_plane(channel, clouds, options);
  ++solves.all;
  if (fit.w.empty() || fit.solve.termination == Termination::diverged) {
    ++solves.lost;
    return;
  }
  solves.restless += fit.solve.termination == Termination::converged ? 0 : 1;
  solves.iterations.push_back(static_cast<double>(fit.solve.iterations));
  solves.messages.push_back(static_cast<double>(fit.traffic.messages_per_link));
  solves.rounds.push_back(static_cast<double>(fit.traffic.rounds));
  solves.kilobytes.push_back(fit.traffic.bytes_per_agent(network.graph) / 1e3);
  solves.samples.push_back(static_cast<double>(fit.samples) / 1e3);
  if (!fit.solve.trace.empty() && fit.solve.trace.back().distance) {
    solves.distances.push_back(*fit.solve.trace.back().distance);
    solves.starts.push_back(fit.solve.trace.front().distance.value_or(NAN));
  }
  if (!problem.truth) return;
  double worst = 0;
  for (const Eigen::Vector4d& w : fit.w) worst = std::max(worst, recovery_error(w, *problem.truth));
  solves.errors.push_back(worst);
}

/// "32, 80": median and most.
std::string text(const char* format, const std::vector<double>& values) {
  const auto spread = spread_of(values);
  if (!spread) return "-";
  char buffer[96];
  std::snprintf(buffer, sizeof(buffer), format, spread->median, spread->most);
  return buffer;
}

void print(const Variant& variant, const Solves& s) {
  std::printf("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %d, %d of %d |\n", variant.name,
              text("%.0f, %.0f", s.iterations).c_str(), text("%.0f, %.0f", s.messages).c_str(),
              text("%.0f, %.0f", s.rounds).c_str(), text("%.1f, %.1f", s.kilobytes).c_str(),
              text("%.1f, %.1f", s.samples).c_str(), text("%.1e, %.1e", s.starts).c_str(),
              text("%.1e, %.1e", s.distances).c_str(), text("%.2e, %.1e", s.errors).c_str(),
              s.restless, s.lost, s.all);
  std::fflush(stdout);
}

void study(const std::vector<Problem>& problems, std::uint64_t seeds, const char* name,
           const Graph& graph) {
  std::printf(
      "\n%s, %zu frames, %d seeds; median, most:\n\n"
      "| | iterations | messages per link | rounds | kB | samples, thousands | start's distance | "
      "distance | recovery error | not at rest, no plane |\n"
      "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
      name, problems.size(), static_cast<int>(seeds));
  std::vector<Solves> solves(variants().size());
  const Network network(graph);
  for (const Problem& problem : problems) {
    const Shards shards = make_shards(problem.scan, ShardKind::azimuth, kAgents, 1);
    std::vector<HomogeneousCloud> clouds(kAgents);
    const std::size_t enough = columns_enough({}, kAgents);
    for (int i = 0; i < kAgents; ++i) {
      clouds[static_cast<std::size_t>(i)].assign(problem.scan, shards[i],
                                                 {enough, static_cast<std::uint32_t>(i)});
    }
    for (std::size_t v = 0; v < variants().size(); ++v) {
      for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        add(problem, variants()[v], network, seed, clouds, solves[v]);
      }
    }
  }
  for (std::size_t v = 0; v < variants().size(); ++v) print(variants()[v], solves[v]);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    plane_study::Choice choice;
    std::uint64_t seeds = 1;
    for (int k = 1; k < argc; ++k) {
      const std::string word = argv[k];
      const bool takes_value = word == "--sets" || word == "--seeds";
      if (takes_value && k + 1 == argc) throw std::invalid_argument(word + " wants a value");
      if (word == "--streets") {
        choice.streets = true;
      } else if (word == "--seeds") {
        seeds = std::stoull(argv[++k]);
      } else if (word == "--sets") {
        std::istringstream all(argv[++k]);
        for (std::string name; std::getline(all, name, ',');) choice.sets.insert(name);
      } else {
        choice.data = word;
      }
    }
    if (choice.data.empty()) throw std::invalid_argument("no DATA");
    const std::vector<Problem> problems = plane_study::problems_of(choice);
    study(problems, seeds, "Erdos-Renyi 0.5, 16 agents", Graph::erdos_renyi(kAgents, 0.5, 1));
    study(problems, seeds, "Ring of 16", Graph::ring(kAgents));
  } catch (const std::exception& error) {
    std::fprintf(stderr,
                 "algorithm_study: %s\nusage: algorithm_study DATA [--sets NAME,...] [--streets] "
                 "[--seeds N]\n",
                 error.what());
    return 1;
  }
  return 0;
}
