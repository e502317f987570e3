#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "command.hpp"
#include "command_line.hpp"
#include "config_file.hpp"
#include "network_options.hpp"
#include "option_names.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/kernels/robust_loss.hpp"
#include "roadplane/mpi/communicator.hpp"
#include "roadplane/mpi/mpi_process_group.hpp"
#include "roadplane/results/run_folder.hpp"
#include "roadplane/subspace/solve_table.hpp"

namespace roadplane::app {
namespace {

constexpr const char* kFooter =
    "PATH is a table of points, one per row: .csv (a heading and # comments are fine) or .npy. "
    "The\n"
    "agents minimise, over n x p matrices X with orthonormal columns, the mean over all points d "
    "of\n"
    "  pca     -||X'd||^2 / 2             the directions of largest variance\n"
    "  l3      -(|x_1'd|^3 + ...) / 3     dual principal component pursuit of codimension p\n"
    "  robust  loss(||X'd||)              the same with a loss that ignores outliers\n"
    "\n"
    "Examples:\n"
    "  roadplane solve points.csv --p 5 --centre\n"
    "  roadplane solve points.npy --objective robust --p 2 --scale 0.1 --truth basis.csv\n"
    "  roadplane solve xyz.csv --homogeneous --normalise points --objective l3 --p 1\n"
    "  mpirun -np 4 roadplane solve points.npy --p 5             agents over 4 processes\n"
    "\n"
    "The results are solve.json, X.csv (or .npy) and trace.csv.\n"
    "Exit codes: 0 all good, 1 wrong usage, 2 bad input, 3 no solution: diverged, or too few\n"
    "points within --scale.";

struct SolveJob {
  SolveConfig config;
  std::string path_from_config;
  std::filesystem::path out;
  bool quiet = false;
  bool mpi = false;
  double patience_s = 600;  ///< [s] how long a rank waits for another
};

/// The files that options name; the points are left where they are.
std::vector<RunInput> inputs_of(const SolveConfig& config) {
  std::vector<RunInput> inputs;
  for (const auto& [key, value] :
       {std::pair("topology", config.topology), {"start", config.start}, {"truth", config.truth}}) {
    if (auto input = input_file(key, value)) inputs.push_back(std::move(*input));
  }
  return inputs;
}

/// Every process comes here; the first one prints and writes, when all is solved.
int solve_with_group(const SolveJob& job, const ProcessGroup& processes) {
  const Solved solved = solve_table(job.config, processes);
  std::filesystem::path folder;
  processes.run_together([&] {
    if (!processes.leads()) return std::string();
    folder = job.out.empty() ? fresh_run_path("solve") : job.out;
    const RunFolder run = RunFolder::create(folder, to_json(job.config), inputs_of(job.config));
    run.append_command(command_line());
    write_solved(solved, job.config, run.path());
    return std::string();
  });
  if (!processes.leads()) return kAllGood;
  if (!job.quiet) {
    fmt::print("{}\nresults: {}  (solve.json, X.{}, trace.csv)\n", solved_text(solved, job.config),
               terminal_text(folder.string()), job.config.format);
  }
  const auto why = why_unsolved(solved.record);
  if (why) fmt::print(stderr, "roadplane: {}\n", terminal_text(*why));
  return why ? kSomeFramesFailed : kAllGood;
}

int solve_over_mpi(const SolveJob& job, const Communicator& all_ranks) {
  try {
    if (all_ranks.size() > job.config.agents) {
      throw AgreedError(FieldError("agents",
                                   "at least the ranks, " + std::to_string(all_ranks.size()),
                                   std::to_string(job.config.agents)));
    }
    return solve_with_group(job, MpiProcessGroup(all_ranks));
  } catch (const AgreedError&) {  // all ranks are here, and end in order
    throw;
  } catch (const std::exception& error) {
    all_ranks.fail(refusal_of(error).line);
  }
}

int run_solve(SolveJob job, Ranks& ranks) {
  SolveConfig& config = job.config;
  if (config.path.empty()) config.path = job.path_from_config;
  if (config.path.empty()) {
    throw AgreedError(FieldError("path", "a .csv or .npy file", "nothing"));  // typed for all ranks
  }
  config.path = std::filesystem::absolute(config.path).lexically_normal().string();
  const Communicator* all_ranks = ranks.ask(job.patience_s, job.mpi);
  const bool several = all_ranks != nullptr && all_ranks->size() > 1;
  if (several || job.mpi) return solve_over_mpi(job, *all_ranks);
  return solve_with_group(job, SingleProcess());
}

void add_problem_options(CLI::App& app, SolveJob& job) {
  SolveConfig& c = job.config;
  app.add_option("path", c.path, "Points, one per row: a .csv or .npy file")->type_name("PATH");
  app.add_option(kPathFromConfig, job.path_from_config)->group("");  // hidden
  app.add_option("--objective", c.objective, "Objective: pca, l3 or robust")->capture_default_str();
  app.add_option("--p", c.p,
                 "Number of columns of X: less than n, the number of coordinates; for l3 up to n")
      ->check(in_range(1, 1e5))
      ->capture_default_str();
  app.add_flag("--centre,--center", c.centre, "Subtract the mean of all points first");
  app.add_flag("--homogeneous", c.homogeneous,
               "Then append a coordinate of 1, so that affine planes become linear ones");
  app.add_option(
         "--normalise,--normalize", c.normalise,
         "Then scale: none, points (every point to length 1) or features (every coordinate to\n"
         "a standard deviation of 1)")
      ->capture_default_str();
  app.add_option(
         "--whiten", c.whiten,
         "Solve in coordinates in which the points have the same variance in all directions:\n"
         "yes, no or auto (yes for l3 with p < n)")
      ->capture_default_str();
  app.add_option("--loss", c.loss,
                 "Loss of the robust objective: " + alternatives(robust_loss_names()))
      ->capture_default_str();
  app.add_option(
         "--scale", c.scale,
         "Scale of the robust loss: the distance at which a point no longer counts, in the\n"
         "units of the points")
      ->check(in_range(0, 1e300));
  app.add_option("--start", c.start,
                 "Start of X: random, spectral (the directions of least variance), a .csv or .npy\n"
                 "file, or auto: random for pca, otherwise spectral")
      ->capture_default_str();
  app.add_option(
         "--truth", c.truth,
         "A .csv or .npy file whose columns span the true subspace; with fewer than p columns,\n"
         "the first columns of X are compared")
      ->type_name("FILE");
}

void add_solver_options(CLI::App& app, SolveConfig& c) {
  app.add_option("--solver", c.solver, "Solver: " + alternatives(solver_names()))
      ->capture_default_str();
  app.add_option("--step", c.step, "Step size eta; 0 is automatic")
      ->check(in_range(0, 1e300))
      ->capture_default_str();
  app.add_option("--penalty", c.penalty, "beta of vrsgt and destiny; 0 is automatic")
      ->check(in_range(0, 1e300))
      ->capture_default_str();
  app.add_option("--schedule", c.schedule,
                 "Step schedule of drsgd and drgta: constant, inverse-sqrt or inverse");
  app.add_option("--batch", c.batch, "Samples per agent and iteration")
      ->check(in_range(1, 1e6))
      ->capture_default_str();
  app.add_option("--gossip-rounds", c.gossip_rounds, "Messages per link and iteration")
      ->check(in_range(1, 1000))
      ->capture_default_str();
  app.add_option("--iterations,--max-iterations", c.iterations, "Maximum iterations")
      ->check(in_range(1, 1e12))
      ->capture_default_str();
  app.add_option("--tolerance", c.tolerance,
                 "Residual of every agent, relative to the curvature, at which it has converged")
      ->check(in_range(0, 1))
      ->capture_default_str();
  app.add_option(
         "--budget", c.budget,
         "Maximum cost: rounds=N, bytes=N or samples=N (per agent), or seconds=T (one process)")
      ->type_name("KIND=AMOUNT");
}

void add_output_options(CLI::App& app, SolveJob& job) {
  app.add_option(
         "--trace-every", job.config.trace_every,
         "Iterations between two entries of the trace; 0 is one entry per stage of the solver")
      ->check(in_range(0, 1e12))
      ->capture_default_str();
  app.add_option("--format", job.config.format, "Format of X: csv or npy")->capture_default_str();
  app.add_option("--out", job.out, "Folder of the results (default: a new one below runs/)")
      ->type_name("DIR");
  app.add_option("--config", "JSON file with options; options on the command line override it")
      ->type_name("FILE");
  app.add_flag("--quiet", job.quiet, "Print errors only");
  app.add_flag("--mpi", job.mpi, "Start MPI even if mpirun or srun is not recognised")
      ->group("MPI");
  app.add_option("--patience", job.patience_s,
                 "How long a rank waits for another before the job ends [s]")
      ->check(in_range(1, 1e6))
      ->capture_default_str()
      ->group("MPI");
}

}  // namespace

Run add_solve(CLI::App& app) {
  app.footer(kFooter);
  auto job = std::make_shared<SolveJob>();
  add_problem_options(app, *job);
  add_network_options(app, job->config, "contiguous, interleaved or random");
  add_solver_options(app, job->config);
  add_output_options(app, *job);
  return [job](Ranks& ranks) { return run_solve(*job, ranks); };
}

}  // namespace roadplane::app
