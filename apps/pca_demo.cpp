// A first look at the solvers: eight agents on a ring, each with samples of its own, agree on the
// leading subspace of all samples together. Prints how they get there.

#include <Eigen/Eigenvalues>
#include <cstdio>
#include <memory>
#include <vector>

#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/objective/dense_objective.hpp"
#include "roadplane/objective/pca_loss.hpp"
#include "roadplane/random/counter_random.hpp"
#include "roadplane/solver/drsgd.hpp"
#include "roadplane/solver/vrsgt.hpp"

namespace {

using namespace roadplane;

constexpr int kAgents = 8;
constexpr int kN = 20;
constexpr int kP = 3;
constexpr int kSamples = 400;  // per agent

/// Gaussian samples whose first kP coordinates vary most.
Eigen::MatrixXd shard(int agent) {
  CounterRandom random(1, RandomUse::user, static_cast<std::uint32_t>(agent));
  Eigen::MatrixXd columns(kN, kSamples);
  for (int j = 0; j < kSamples; ++j) {
    for (int r = 0; r < kN; ++r) columns(r, j) = (r < kP ? 1.0 : 0.3) * random.normal();
  }
  return columns;
}

void print(const char* name, const SolveResult<Eigen::Dynamic, Eigen::Dynamic>& result,
           const Eigen::MatrixXd& principal) {
  std::printf("\n%s\n%10s %8s %12s %12s %12s %12s\n", name, "iteration", "rounds", "StaGap",
              "gradient", "consensus", "objective");
  const std::size_t every = std::max<std::size_t>(1, result.trace.size() / 12);
  for (std::size_t k = 0; k < result.trace.size(); ++k) {
    if (k % every != 0 && k + 1 != result.trace.size()) continue;
    const TraceEntry& entry = result.trace[k];
    std::printf("%10lld %8lld %12.3e %12.3e %12.3e %12.8f\n",
                static_cast<long long>(entry.iteration),
                static_cast<long long>(entry.traffic.rounds), entry.gap.total(), entry.gap.gradient,
                entry.gap.consensus, entry.objective);
  }
  double worst = 0;
  for (const auto& x : result.x) worst = std::max(worst, subspace_error(x, principal));
  std::printf("ended: %s; worst agent's distance from the eigen-solver's subspace: %.2e\n",
              std::string(to_string(result.termination)).c_str(), worst);
}

}  // namespace

int main() {
  const Network network(Graph::ring(kAgents));
  std::vector<std::unique_ptr<Objective<Eigen::Dynamic, Eigen::Dynamic>>> objectives;
  Eigen::MatrixXd moment = Eigen::MatrixXd::Zero(kN, kN);
  for (int i = 0; i < kAgents; ++i) {
    const Eigen::MatrixXd columns = shard(i);
    moment += columns * columns.transpose();
    objectives.push_back(std::make_unique<DenseObjective<PcaLoss>>(columns));
  }
  const Eigen::MatrixXd principal =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(moment).eigenvectors().rightCols(kP);
  Eigen::MatrixXd start = Eigen::MatrixXd::Zero(kN, kP);
  for (int c = 0; c < kP; ++c) start(c, c) = start(c + kP, c) = std::sqrt(0.5);

  std::printf("Decentralised PCA: %d agents on a ring (SLEM %.4f), %d samples each, %d x %d\n",
              kAgents, network.slem, kSamples, kN, kP);
  VrsgtOptions vrsgt;
  vrsgt.step = 0.1;
  vrsgt.stop.stationarity_tolerance = 1e-20;
  vrsgt.trace.stages = true;
  LocalChannel first(network);
  const auto exact = solve<Vrsgt>(first, objectives, start, vrsgt);
  print("VRSGT", exact, principal);

  DrsgdOptions drsgd;
  drsgd.step = 0.1;
  drsgd.stop.max_rounds = exact.traffic.rounds;
  drsgd.trace.stages = true;
  LocalChannel second(network);
  print("DRSGD, constant step, as many rounds", solve<Drsgd>(second, objectives, start, drsgd),
        principal);
  return exact.termination == Termination::converged ? 0 : 1;
}
