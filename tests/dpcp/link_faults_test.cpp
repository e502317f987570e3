// Solvers on networks whose links fail for a while: what holds at every iteration, where they end,
// and what the trace says.

#include "roadplane/network/link_faults.hpp"

#include <gtest/gtest.h>

#include "roadplane/dpcp/find_plane.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/geometry/shards.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "roadplane/kitti/ground_truth.hpp"
#include "solver/pca_problem.hpp"
#include "support/data.hpp"

namespace roadplane {
namespace {

using test::PcaProblem;
using Result = SolveResult<Eigen::Dynamic, Eigen::Dynamic>;

Eigen::MatrixXd mean(std::span<const Eigen::MatrixXd> all) {
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(all[0].rows(), all[0].cols());
  for (const auto& x : all) sum += x / static_cast<double>(all.size());
  return sum;
}

TEST(LinkFaults, TheTrackersMeanIsTheEstimatesMeanAtEveryIteration) {
  const Network network(Graph::ring(8), MixingKind::metropolis, {.drop = 0.4, .outage = 3});
  LocalChannel channel(network);
  const PcaProblem problem(8);
  Vrsgt<Eigen::Dynamic, Eigen::Dynamic> method(channel, problem.objectives,
                                               std::vector(8, problem.start), {});
  for (int k = 1; k <= 300; ++k) {
    method.iterate(k);
    ASSERT_LT((mean(method.trackers()) - mean(method.estimates())).norm(), 1e-12) << k;
  }
}

Result vrsgt_on_pca(const Graph& graph, const LinkFaults& faults) {
  const Network network(graph, MixingKind::metropolis, faults);
  LocalChannel channel(network);
  const PcaProblem problem(graph.size());
  VrsgtOptions options;
  options.step = 0.1;
  options.batch = 10;
  options.stop.max_iterations = 40'000;
  options.stop.stationarity_tolerance = 1e-15;
  const Result result = solve<Vrsgt>(channel, problem.objectives, problem.start, options);
  for (const auto& x : result.x) EXPECT_LT(subspace_error(x, problem.principal), 1e-6);
  return result;
}

TEST(LinkFaults, VrsgtStaysExact) {
  for (const Graph& graph : {Graph::ring(8), Graph::star(8), Graph::erdos_renyi(8, 0.5, 1)}) {
    for (const LinkFaults& faults :
         {LinkFaults{.drop = 0.2}, LinkFaults{.drop = 0.2, .outage = 10}}) {
      const Result result = vrsgt_on_pca(graph, faults);
      EXPECT_EQ(result.termination, Termination::converged);
      EXPECT_LE(result.trace.back().gap.total(), 1e-15);
    }
  }
}

TEST(LinkFaults, TheTraceShowsWhatTheyCost) {
  const Result whole = vrsgt_on_pca(Graph::ring(8), {});
  const Result faulty = vrsgt_on_pca(Graph::ring(8), {.drop = 0.45, .outage = 20});
  EXPECT_GT(faulty.traffic.rounds, whole.traffic.rounds);
  for (const TraceEntry& entry : whole.trace) EXPECT_EQ(entry.links_down, 0);
  double sum = 0;
  for (const TraceEntry& entry : faulty.trace) sum += entry.links_down;
  EXPECT_NEAR(sum / static_cast<double>(faulty.trace.size()), 0.45 * 8, 0.5);
}

TEST(LinkFaults, ARealFrameIsSolvedAsWell) {
  ROADPLANE_KITTI_OR_SKIP(kitti_folder);
  const kitti::Dataset dataset = kitti::open_dataset(kitti_folder / "dpcp_annotations");
  const auto frame = std::find_if(
      dataset.frames.begin(), dataset.frames.end(),
      [](const kitti::Frame& f) { return f.name().find("0221") != std::string::npos; });
  ASSERT_NE(frame, dataset.frames.end());
  const Scan scan = kitti::load_scan(*frame);
  const auto truth = kitti::load_ground_truth(*frame, scan);
  for (const Graph& graph : {Graph::erdos_renyi(16, 0.5, 1), Graph::ring(16), Graph::star(16)}) {
    for (const double drop : {0.1, 0.2, 0.3}) {
      for (const int outage : {1, 5, 20}) {
        const Network network(graph, MixingKind::metropolis, {.drop = drop, .outage = outage});
        LocalChannel channel(network);
        std::vector<HomogeneousCloud> clouds(16);
        assign_shards(scan, make_shards(scan, ShardKind::azimuth, 16, 1), channel.hosted(), clouds);
        PlaneOptions options;
        options.objective = RobustOptions{.sought = PlaneSought::dominant};
        const PlaneFit result = find_plane(channel, clouds, options);
        EXPECT_EQ(result.solve.termination, Termination::converged);
        double worst = 0;
        double apart = 0;
        for (const Eigen::Vector4d& w : result.w) {
          worst = std::max(worst, recovery_error(w, truth->hyperplane));
          apart = std::max(apart, (w - result.w[0]).norm());
        }
        EXPECT_LE(worst, 1.5e-3) << "SLEM " << network.slem << " drop " << drop << " outage "
                                 << outage;
        EXPECT_LE(apart, 1e-4);
      }
    }
  }
}

}  // namespace
}  // namespace roadplane
