#include "roadplane/subspace/solve_config.hpp"

#include <Eigen/QR>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "roadplane/base/named_values.hpp"
#include "roadplane/compare/budget.hpp"
#include "roadplane/pipeline/topology.hpp"

namespace roadplane {
namespace {

using Eigen::MatrixXd;

constexpr NamedValues<StepSchedule, 3> kSchedules{{
    {StepSchedule::constant, "constant"},
    {StepSchedule::inverse_sqrt, "inverse-sqrt"},
    {StepSchedule::inverse, "inverse"},
}};

void set_budget(const std::string& text, StopOptions& stop) {
  if (text.empty()) return;
  const Budget budget = Budget::parse(text);
  switch (budget.kind) {
    case Budget::Kind::messages:
      stop.max_messages = std::llround(budget.amount);
      break;
    case Budget::Kind::rounds:
      stop.max_rounds = std::llround(budget.amount);
      break;
    case Budget::Kind::bytes:
      stop.max_bytes = budget.amount;
      break;
    case Budget::Kind::samples:
      stop.max_samples = std::llround(budget.amount);
      break;
    case Budget::Kind::seconds:
      stop.max_seconds = budget.amount;
  }
}

template <class Options>
void set_solver(const SolveConfig& config, Options& options) {
  options.seed = config.seed;
  options.gossip.rounds = config.gossip_rounds;
  options.stop.max_iterations = config.iterations;
  options.trace = {
      .checks = true, .every = config.trace_every, .end = true, .mean = !config.truth.empty()};
  if (config.trace_every > 0) options.trace.checks = false;
  set_budget(config.budget, options.stop);
  if constexpr (requires { options.batch; }) options.batch = config.batch;
  if constexpr (requires { options.schedule; }) {
    if (!config.schedule.empty()) {
      options.schedule = value_of(kSchedules, config.schedule, "schedule");
    }
  } else if (!config.schedule.empty()) {
    throw FieldError("schedule", "a {solver} whose step may fall: drsgd or drgta", config.solver);
  }
  if constexpr (!requires { options.penalty; }) {
    if (config.penalty != 0) {
      throw FieldError("penalty", "a {solver} that has one: vrsgt or destiny", config.solver);
    }
  }
  options.validate();
}

AnySolverOptions solver_options(const SolveConfig& config) {
  AnySolverOptions options = checked_solver(config.solver);
  std::visit([&](auto& o) { set_solver(config, o); }, options);
  return options;
}

bool checked_whiten(const SolveConfig& config, SubspaceObjective objective, int n) {
  if (config.whiten == "auto") return objective == SubspaceObjective::l3 && config.p < n;
  if (config.whiten != "yes" && config.whiten != "no") {
    throw FieldError("whiten", "auto, yes or no", in_quotes(config.whiten));
  }
  return config.whiten == "yes";
}

bool is_file(const std::string& start) {
  return start.ends_with(".csv") || start.ends_with(".npy");
}

bool checked_spectral(const SolveConfig& config, SubspaceObjective objective) {
  if (config.start == "auto") return objective != SubspaceObjective::pca;
  if (config.start != "random" && config.start != "spectral" && !is_file(config.start)) {
    throw FieldError("start", "auto, random, spectral, or a .csv or .npy file",
                     in_quotes(config.start));
  }
  return config.start == "spectral";
}

/// All that can be known without the points; `n` is any dimension that p suits, or theirs.
SubspaceOptions subspace_options(const SolveConfig& config, int n) {
  SubspaceOptions options;
  options.objective = subspace_objective_from_string(config.objective);
  options.p = config.p;
  options.whiten = checked_whiten(config, options.objective, n);
  options.spectral = checked_spectral(config, options.objective);
  options.loss = RobustLoss(config.loss);
  options.scale = config.scale;
  options.step = config.step;
  options.penalty = config.penalty;
  options.tolerance = config.tolerance;
  options.solver = solver_options(config);
  if (config.scale != 0 && options.objective != SubspaceObjective::robust) {
    throw FieldError("scale", "{objective} robust with it", config.objective);
  }
  options.validate(n);
  return options;
}

/// A matrix from a file, its columns made orthonormal without changing what they span.
MatrixXd read_basis(const std::string& field, const std::string& path, int n) {
  return in_field(field, [&]() -> MatrixXd {
    const NumberTable table = read_table(path);
    if (table.rows != static_cast<std::size_t>(n) || table.columns > table.rows) {
      throw InputError(path,
                       std::to_string(n) +
                           " rows, as many as the points have coordinates, and "
                           "no more columns",
                       std::to_string(table.rows) + " x " + std::to_string(table.columns));
    }
    const MatrixXd basis =
        Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
            table.values.data(), n, static_cast<Eigen::Index>(table.columns));
    const Eigen::ColPivHouseholderQR<MatrixXd> rank(basis);
    if (rank.rank() < basis.cols()) {
      throw InputError(
          path, "columns that do not depend on each other",
          "a rank of " + std::to_string(rank.rank()) + " of " + std::to_string(basis.cols()));
    }
    const Eigen::HouseholderQR<MatrixXd> factors(basis);
    const MatrixXd q = factors.householderQ() * MatrixXd::Identity(n, basis.cols());
    // Towards the given columns, not their mirror images.
    return q * factors.matrixQR().diagonal().head(basis.cols()).cwiseSign().asDiagonal();
  });
}

int dimension(const NumberTable& table, const SolveConfig& config) {
  return static_cast<int>(table.columns) + (config.homogeneous ? 1 : 0);
}

SubspaceOptions options_for(const SolveConfig& config, int n) {
  SubspaceOptions options = subspace_options(config, n);
  if (is_file(config.start)) {
    options.start = read_basis("start", config.start, n);
    options.validate(n);
  }
  return options;
}

Network network_of(const SolveConfig& config) {
  return make_network(config.topology, config.agents, config.mixing, config.links, config.wire,
                      config.seed);
}

}  // namespace

nlohmann::json to_json(const SolveConfig& c) {
  return {{"path", c.path},
          {"objective", c.objective},
          {"p", c.p},
          {"centre", c.centre},
          {"normalise", c.normalise},
          {"homogeneous", c.homogeneous},
          {"whiten", c.whiten},
          {"start", c.start},
          {"loss", c.loss},
          {"scale", c.scale},
          {"truth", c.truth},
          {"agents", c.agents},
          {"topology", c.topology},
          {"mixing", c.mixing},
          {"links", c.links},
          {"wire", c.wire},
          {"shards", c.shards},
          {"solver", c.solver},
          {"step", c.step},
          {"penalty", c.penalty},
          {"batch", c.batch},
          {"gossip-rounds", c.gossip_rounds},
          {"schedule", c.schedule},
          {"iterations", c.iterations},
          {"tolerance", c.tolerance},
          {"budget", c.budget},
          {"trace-every", c.trace_every},
          {"format", c.format},
          {"seed", c.seed}};
}

void SolvePlan::check(const SolveConfig& config) {
  require(config.p >= 1, "p", "at least 1", config.p);
  subspace_options(config, config.p + 1);
  normalise_from_string(config.normalise);
  make_shards(0, shard_kind_from_string(config.shards), 1);  // checks
  if (config.format != "csv" && config.format != "npy") {
    throw FieldError("format", "csv or npy", in_quotes(config.format));
  }
}

SolvePlan::SolvePlan(const SolveConfig& config, const NumberTable& table)
    : network(network_of(config)),
      shards(shard_kind_from_string(config.shards)),
      preparation{config.centre, config.homogeneous, normalise_from_string(config.normalise)},
      subspace(options_for(config, dimension(table, config))) {
  if (table.rows < static_cast<std::size_t>(config.agents)) {
    throw FieldError("agents", "at most the points, " + std::to_string(table.rows),
                     std::to_string(config.agents));
  }
  if (config.truth.empty()) return;
  truth = read_basis("truth", config.truth, dimension(table, config));
  if (truth->cols() > config.p) {
    throw FieldError("truth", "at most {p} columns (" + std::to_string(config.p) + ")",
                     std::to_string(truth->cols()) + " in " + config.truth);
  }
}

}  // namespace roadplane
