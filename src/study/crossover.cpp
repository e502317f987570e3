#include "crossover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "roadplane/base/parallel_for.hpp"
#include "roadplane/compare/band.hpp"
#include "roadplane/solver/rivals/destiny.hpp"
#include "roadplane/solver/rivals/gossip_irls.hpp"
#include "roadplane/solver/vrsgt.hpp"

namespace roadplane {
namespace {

constexpr int kAny = Eigen::Dynamic;

/// Whether a course has come to its end: in so many iterations the error has not shrunk by a tenth.
class Stall {
 public:
  explicit Stall(std::int64_t patience) : patience_(patience) {}
  bool operator()(std::int64_t iteration, double error) {
    if (error < 0.9 * least_) {
      least_ = error;
      since_ = iteration;
    }
    return iteration - since_ >= patience_;
  }

 private:
  std::int64_t patience_;
  std::int64_t since_ = 0;
  double least_ = std::numeric_limits<double>::infinity();
};

/// One size and one seed, for all methods.
class Site {
 public:
  Site(const CrossoverOptions& options, const CrossoverSize& size, int seed)
      : options_(options), size_(size), problem_options_(options.problem), seed_(seed) {
    problem_options_.n = size.n;
    problem_options_.samples_each = size.samples_each;
    problem_options_.condition = size.condition;
    problem_options_.seed = static_cast<std::uint64_t>(seed);
    problem_ = make_hyperplane_problem(problem_options_);
    network_.wire = Wire::single;  // for every method
  }

  std::vector<CrossoverCost> operator()(bool with_moments) {
    for (const double step : options_.steps) try_gradients(step);
    for (const double tolerance : options_.tolerances) {
      if (!with_moments) break;
      GossipIrlsOptions solver;
      solver.tolerance = tolerance;
      try_solver<GossipIrls>("gossip-IRLS", fmt::format("to {:g}", tolerance), solver);
    }
    return std::move(best_);
  }

 private:
  void try_gradients(double step) {
    DestinyOptions full;
    full.step = step;
    try_solver<Destiny>("DESTINY", fmt::format("{:g}", step), full);
    for (const int q : options_.inner) {
      for (const int batch : options_.batches) {
        if (2 * batch > problem_options_.samples_each) continue;  // a full gradient costs less
        VrsgtOptions solver;
        solver.step = step;
        solver.inner_iterations = q;
        solver.batch = batch;
        solver.seed = static_cast<std::uint64_t>(seed_);
        try_solver<Vrsgt>("VRSGT", fmt::format("{:g}, q = {}, tau = {}", step, q, batch), solver);
      }
    }
  }

  /// Iterates until the worst agent is near enough, and notes what it took to come below each error
  /// for the first time, were it to stop there.
  template <template <int, int> class Solver>
  void try_solver(const std::string& method, const std::string& setting,
                  const typename Solver<kAny, kAny>::Options& options) {
    constexpr double kLost = 1.2;  // rad: as good as anywhere
    LocalChannel channel(network_);
    Solver<kAny, kAny> solver(channel, problem_.objectives,
                              std::vector(problem_.objectives.size(), problem_.start), options);
    std::int64_t samples = solver.start_samples();
    std::size_t next = 0;
    Stall stall(method == "gossip-IRLS" ? 6 : 80);
    for (std::int64_t k = 1; k <= options_.most_iterations; ++k) {
      samples += solver.expense_of(k).samples;
      solver.iterate(k);
      double worst = 0;
      for (const auto& x : solver.iterates()) {
        const double error = problem_.error(x);
        worst = std::isfinite(error) ? std::max(worst, error) : kLost;
      }
      if (worst >= std::sin(kLost)) return;
      for (; next < options_.errors.size() && worst <= options_.errors[next]; ++next) {
        note(method, setting, next, channel.traffic(), samples);
      }
      if (next == options_.errors.size() || stall(k, worst)) return;
      if (hopeless(method, channel.traffic(), samples)) return;
    }
  }

  void note(const std::string& method, const std::string& setting, std::size_t error,
            const Traffic& traffic, std::int64_t samples) {
    const auto add = [&](const char* cost, double amount) {
      note({method, cost, size_, seed_, options_.errors[error], amount, setting});
    };
    add("bytes", traffic.bytes_per_agent(network_.graph));
    add("rounds", static_cast<double>(traffic.rounds));
    add("messages", static_cast<double>(traffic.messages_per_link));
    add("samples", static_cast<double>(samples));
  }

  /// Whether no more of anything may be taken if the last error is to be reached with less than is
  /// known to do.
  bool hopeless(const std::string& method, const Traffic& traffic, std::int64_t samples) const {
    bool known = false;
    for (const CrossoverCost& c : best_) {
      if (c.method != method || c.error != options_.errors.back()) continue;
      known = true;
      const double now = c.cost == "bytes"      ? traffic.bytes_per_agent(network_.graph)
                         : c.cost == "rounds"   ? static_cast<double>(traffic.rounds)
                         : c.cost == "messages" ? static_cast<double>(traffic.messages_per_link)
                                                : static_cast<double>(samples);
      if (now < c.amount) return false;
    }
    return known;
  }

  void note(CrossoverCost cost) {
    for (CrossoverCost& known : best_) {
      if (known.method != cost.method || known.cost != cost.cost || known.error != cost.error) {
        continue;
      }
      if (cost.amount < known.amount) known = std::move(cost);
      return;
    }
    best_.push_back(std::move(cost));
  }

  const CrossoverOptions& options_;
  CrossoverSize size_;
  HyperplaneOptions problem_options_;
  int seed_;
  HyperplaneProblem problem_;
  Network network_{
      Graph::erdos_renyi(problem_options_.agents, 0.5, static_cast<std::uint64_t>(seed_))};
  std::vector<CrossoverCost> best_;
};

/// Where the ratio of two costs falls below 1 for the last time.
std::optional<double> crossing_of(const std::vector<double>& sizes,
                                  const std::vector<double>& ratios) {
  if (ratios.empty() || !(ratios.back() < 1)) return std::nullopt;
  std::size_t k = ratios.size() - 1;
  while (k > 0 && ratios[k - 1] < 1) --k;
  if (k == 0) return sizes.front();
  const double share = std::log(ratios[k - 1]) / std::log(ratios[k - 1] / ratios[k]);
  return sizes[k - 1] * std::pow(sizes[k] / sizes[k - 1], share);
}

Crossing find_crossing(const Crossover& study, const std::string& variable, double condition,
                       const std::string& cost, const std::string& other, double error) {
  const std::vector<CrossoverSize> sweep = study.sweep(variable, condition);
  const auto variable_of = [&](const CrossoverSize& s) {
    return static_cast<double>(variable == "n" ? s.n : s.samples_each);
  };
  Crossing crossing{cost, variable, condition, "VRSGT", other, error, variable_of(sweep[0]), {}};
  for (int seed = 1; seed <= study.options.seeds; ++seed) {
    std::vector<double> sizes;
    std::vector<double> ratios;
    for (const CrossoverSize& size : sweep) {
      const auto mine = study.amount("VRSGT", cost, size, seed, error);
      const auto theirs = study.amount(other, cost, size, seed, error);
      if (!mine && !theirs) continue;
      constexpr double kNever = std::numeric_limits<double>::max();
      sizes.push_back(variable_of(size));
      ratios.push_back(mine && theirs ? *mine / *theirs : mine ? 1 / kNever : kNever);
    }
    crossing.at.push_back(crossing_of(sizes, ratios));
  }
  return crossing;
}

}  // namespace

std::size_t Crossing::found() const {
  return static_cast<std::size_t>(
      std::count_if(at.begin(), at.end(), [](const auto& place) { return place.has_value(); }));
}

std::optional<double> Crossing::median() const {
  if (2 * found() <= at.size()) return std::nullopt;
  std::vector<double> places;
  for (const auto& place : at) {
    places.push_back(place.value_or(std::numeric_limits<double>::max()));
  }
  return quantile(places, 0.5);
}

std::optional<double> Crossover::amount(const std::string& method, const std::string& cost,
                                        const CrossoverSize& size, int seed, double error) const {
  for (const CrossoverCost& c : costs) {
    if (c.method == method && c.cost == cost && c.size == size && c.seed == seed &&
        c.error == error) {
      return c.amount;
    }
  }
  return std::nullopt;
}

std::vector<CrossoverSize> Crossover::sweep(const std::string& variable, double condition) const {
  std::vector<CrossoverSize> sizes;
  if (variable == "l") {
    for (const int l : options.samples_each) sizes.push_back({options.problem.n, l, condition});
    return sizes;
  }
  const bool base = condition == options.problem.condition;
  for (const int n : base ? options.dimensions : options.hard_dimensions) {
    sizes.push_back({n, options.problem.samples_each, condition});
  }
  return sizes;
}

Crossover measure_crossover(const CrossoverOptions& options, const StudyContext& context) {
  Crossover study{options, {}, {}};
  const double base = options.problem.condition;
  std::vector<std::pair<CrossoverSize, bool>> sizes;  // whether gossip-IRLS is asked for
  for (const double condition : {base, options.hard_condition}) {
    for (const CrossoverSize& size : study.sweep("n", condition)) sizes.emplace_back(size, true);
  }
  std::reverse(sizes.begin(), sizes.end());  // long ones first
  for (const CrossoverSize& size : study.sweep("l", base)) {
    if (std::count(sizes.begin(), sizes.end(), std::pair(size, true)) == 0) {
      sizes.emplace_back(size, false);
    }
  }
  const auto seeds = static_cast<std::size_t>(options.seeds);
  std::vector<std::vector<CrossoverCost>> found(sizes.size() * seeds);
  parallel_for(context.threads, found.size(), [&](std::size_t k) {
    const auto& [size, with_moments] = sizes[k / seeds];
    const int seed = static_cast<int>(k % seeds) + 1;
    found[k] = Site(options, size, seed)(with_moments);
    context.say(fmt::format("crossover: n = {}, l = {}, condition {:g}, seed {}", size.n,
                            size.samples_each, size.condition, seed));
  });
  for (auto& costs : found) study.costs.insert(study.costs.end(), costs.begin(), costs.end());
  for (const double error : options.errors) {
    for (const double condition : {base, options.hard_condition}) {
      for (const char* cost : {"bytes", "rounds", "messages"}) {
        study.crossings.push_back(find_crossing(study, "n", condition, cost, "gossip-IRLS", error));
      }
    }
    for (const char* cost : {"samples", "bytes"}) {
      study.crossings.push_back(find_crossing(study, "l", base, cost, "DESTINY", error));
    }
  }
  return study;
}

}  // namespace roadplane
