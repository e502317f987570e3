#include "roadplane/study/reproduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>

#include "command.hpp"
#include "roadplane/results/run_folder.hpp"

namespace roadplane::app {
namespace {

struct Reproduce {
  std::string what;
  ReproduceOptions options;
};

int run(Reproduce& job) {
  ReproduceOptions& options = job.options;
  if (job.what == "all") {
    options.experiments = experiment_names();
  } else {
    options.experiments = {job.what};
  }
  if (options.out.empty()) options.out = fresh_run_path("reproduce");
  std::mutex mutex;
  const auto begin = std::chrono::steady_clock::now();
  options.say = [&](const std::string& line) {
    const std::scoped_lock lock(mutex);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    fmt::print("[{:4.0f} s] {}\n", elapsed.count(), line);
    std::fflush(stdout);
  };
  const auto outcomes = reproduce(options);
  std::size_t claims[2] = {};  // of the paper, and ours
  std::size_t holding[2] = {};
  for (const Outcome& outcome : outcomes) {
    for (const Claim& claim : outcome.claims) {
      ++claims[claim.of_paper ? 0 : 1];
      holding[claim.of_paper ? 0 : 1] += claim.agrees ? 1 : 0;
    }
  }
  if (claims[0] > 0) fmt::print("{} of {} claims of the paper agree\n", holding[0], claims[0]);
  if (claims[1] > 0) fmt::print("{} of {} asked beside it hold\n", holding[1], claims[1]);
  fmt::print("see {}\n", (options.out / "README.md").string());
  return kAllGood;
}

}  // namespace

Run add_reproduce(CLI::App& app) {
  auto job = std::make_shared<Reproduce>();
  app.footer(
      "Examples:\n"
      "  roadplane reproduce all     --data DIR --out runs/paper\n"
      "  roadplane reproduce figure2 --data DIR\n"
      "\n"
      "Each experiment gets a folder with its numbers (CSV, JSON), its picture and page.md: the\n"
      "setting, what the paper shows, what was measured, and whether they agree, claim by claim.\n"
      "table2, heterogeneous and figure3 need\n"
      "DIR/kitti (raw drives 0005 and 0048 of 2011_09_26, DPCP annotations 09_29_071); figure2 "
      "needs\n"
      "DIR/mnist/train-images-idx3-ubyte[.gz], or makes do with generated data and says so.\n"
      "crossover is not in the paper: on generated data, from how many dimensions and samples "
      "does\n"
      "VRSGT cost less than gossip-IRLS and DESTINY? An experiment that does not agree is a "
      "result,\n"
      "not an error: the exit code is 0.");
  const auto known = [](std::string& name) {
    const auto names = experiment_names();
    const bool good = name == "all" || std::find(names.begin(), names.end(), name) != names.end();
    return good ? std::string()
                : fmt::format("expected {} or all, found {}", fmt::join(names, ", "), name);
  };
  app.add_option("experiment", job->what,
                 "table1, table2, heterogeneous, figure1, figure2, figure3, crossover or all")
      ->check(CLI::Validator(known, "", "known"))
      ->required()
      ->type_name("EXPERIMENT");
  app.add_option("--data", job->options.data, "Folder that holds kitti/ and mnist/")
      ->required()
      ->type_name("DIR");
  app.add_option("--out", job->options.out,
                 "Folder of the results (default: a new one below runs/)")
      ->type_name("DIR");
  app.add_option("--jobs", job->options.threads, "Number of solves at a time")
      ->check(in_range(1, 256))
      ->capture_default_str();
  return [job](Ranks&) { return run(*job); };
}

}  // namespace roadplane::app
