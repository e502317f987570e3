#include <gtest/gtest.h>

#include <algorithm>

#include "roadplane/dpcp/dpcp.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/geometry/shards.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "roadplane/kitti/ground_truth.hpp"
#include "roadplane/kitti/synthetic/scene.hpp"
#include "support/data.hpp"

namespace roadplane {
namespace {

struct Worst {
  double error = 0;         ///< of any agent
  double disagreement = 0;  ///< between any two agents
  std::int64_t rounds = 0;
  double bytes_per_agent = 0;
};

Worst solve(PointSpan scan, const Eigen::Vector4d& truth, const Network& network, ShardKind kind,
            std::uint64_t first_seed, std::uint64_t last_seed) {
  const int agents = network.agents();
  const Shards shards = make_shards(scan, kind, agents, 1);
  std::vector<HomogeneousCloud> clouds(agents);
  for (int i = 0; i < agents; ++i) clouds[i].assign(scan, shards[i]);
  Worst worst;
  for (std::uint64_t seed = first_seed; seed <= last_seed; ++seed) {
    DpcpOptions options;
    VrsgtOptions solver;
    solver.seed = seed;
    options.solver = solver;
    LocalChannel channel(network);
    const DpcpResult result = solve_dpcp(channel, clouds, options);
    worst.rounds = std::max(worst.rounds, result.traffic.rounds);
    worst.bytes_per_agent =
        std::max(worst.bytes_per_agent, result.traffic.bytes_per_agent(network.graph));
    for (const Eigen::Vector4d& w : result.w) {
      worst.error = std::max(worst.error, recovery_error(w, truth));
      worst.disagreement = std::max(worst.disagreement, (w - result.w[0]).norm());
    }
  }
  return worst;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

constexpr std::array kKinds{ShardKind::azimuth, ShardKind::contiguous, ShardKind::interleaved,
                            ShardKind::random};

TEST(RealRobust, AnnotatedFramesOnEveryNetworkAndKindOfShard) {
  ROADPLANE_KITTI_OR_SKIP(kitti_folder);
  const kitti::Dataset dataset = kitti::open_dataset(kitti_folder / "dpcp_annotations");
  std::vector<Network> networks;
  networks.emplace_back(Graph::erdos_renyi(16, 0.5, 1));
  networks.emplace_back(Graph::ring(16));
  networks.emplace_back(Graph::star(16));
  networks.emplace_back(Graph::ring(64));
  networks.emplace_back(Graph::star(64));
  for (const kitti::Frame& frame : dataset.frames) {
    const double limit = frame.name().find("0221") != std::string::npos ? 1.5e-3 : 5e-3;
    const Scan scan = kitti::load_scan(frame);
    const auto truth = kitti::load_ground_truth(frame, scan);
    ASSERT_TRUE(truth.has_value());
    for (const Network& network : networks) {
      for (const ShardKind kind : kKinds) {
        const Worst worst = solve(scan, truth->hyperplane, network, kind, 1, 20);
        EXPECT_LE(worst.error, limit)
            << frame.name() << " " << to_string(kind) << " SLEM " << network.slem;
        EXPECT_LE(worst.disagreement, 5e-5) << frame.name() << " " << to_string(kind);
      }
    }
  }
}

TEST(RealRobust, LabelledFrames) {
  ROADPLANE_KITTI_OR_SKIP(kitti_folder);
  const kitti::Dataset dataset = kitti::open_dataset(kitti_folder / "odometry");
  std::vector<Network> networks;
  networks.emplace_back(Graph::erdos_renyi(16, 0.5, 1));
  networks.emplace_back(Graph::ring(16));
  networks.emplace_back(Graph::star(16));
  std::vector<kitti::Frame> frames;
  std::vector<Scan> scans;
  std::vector<Eigen::Vector4d> truths;
  for (const kitti::Frame& frame : dataset.frames) {
    Scan scan = kitti::load_scan(frame);
    const auto truth = kitti::load_ground_truth(frame, scan);
    if (!truth) continue;
    frames.push_back(frame);
    truths.push_back(truth->hyperplane);
    scans.push_back(std::move(scan));
  }
  ASSERT_FALSE(frames.empty());
  for (const Network& network : networks) {
    for (const ShardKind kind : kKinds) {
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        std::vector<double> errors;
        for (std::size_t f = 0; f < frames.size(); ++f) {
          const Worst worst = solve(scans[f], truths[f], network, kind, seed, seed);
          errors.push_back(worst.error);
          EXPECT_LE(worst.error, 1.1e-2) << frames[f].name();
          if (&network == networks.data()) {  // Erdos-Renyi
            EXPECT_LE(worst.rounds, 400) << frames[f].name();
            EXPECT_LE(worst.bytes_per_agent, 64'000) << frames[f].name();
          }
        }
        EXPECT_LE(median(errors), 4e-3) << to_string(kind) << " SLEM " << network.slem;
      }
    }
  }
}

/// Worst agent over two kinds of shards on a dense and a sparse network.
double street_error(const kitti::SceneOptions& options) {
  static const Network dense(Graph::erdos_renyi(16, 0.5, 1));
  static const Network sparse(Graph::ring(16));
  const kitti::SyntheticFrame frame = kitti::SyntheticScene(options).frame(0);
  double worst = 0;
  for (const Network* network : {&dense, &sparse}) {
    for (const ShardKind kind : {ShardKind::azimuth, ShardKind::contiguous}) {
      const Eigen::Vector4d road = frame.road.hyperplane();
      worst = std::max(worst, solve(frame.points, road, *network, kind, 1, 2).error);
    }
  }
  return worst;
}

TEST(SyntheticRobust, OutliersAndSlopes) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    EXPECT_LT(street_error({.seed = seed, .outlier_share = 0.5}), 1e-3) << seed;
    EXPECT_LT(
        street_error({.seed = seed, .outlier_share = 0.5, .slope_deg = 5, .cross_slope_deg = -4}),
        1e-3)
        << seed;
    EXPECT_LT(street_error({.seed = seed, .cross_slope_deg = 3}), 2e-3) << seed;
    EXPECT_LT(street_error({.seed = seed, .slope_deg = 8}), 2e-3) << seed;
  }
}

/// Raised sidewalks and grass hold more points here than the road does.
TEST(SyntheticRobust, SeventyPercentOutliers) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    EXPECT_LT(street_error({.seed = seed, .outlier_share = 0.7}), 3e-3) << seed;
    EXPECT_LT(
        street_error({.seed = seed, .outlier_share = 0.7, .slope_deg = -6, .cross_slope_deg = 3}),
        4e-3)
        << seed;
  }
}

TEST(SyntheticRobust, ASecondPlaneOfAQuarterOfThePoints) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    for (const double outliers : {0.5, 0.7}) {
      for (const double height_m : {0.3, 0.5, 1.0}) {
        EXPECT_LT(street_error({.seed = seed,
                                .outlier_share = outliers,
                                .second_plane_share = 0.25,
                                .second_plane_height_m = height_m}),
                  5e-3)
            << seed << " " << outliers << " " << height_m;
      }
    }
  }
}

TEST(SyntheticRobust, SaysThatItTookALowerPlane) {
  const kitti::SyntheticFrame frame =
      kitti::SyntheticScene({.seed = 2, .outlier_share = 0.7}).frame(0);
  const Shards shards = make_shards(frame.points, ShardKind::azimuth, 16, 1);
  std::vector<HomogeneousCloud> clouds(16);
  for (int i = 0; i < 16; ++i) clouds[i].assign(frame.points, shards[i]);
  const Network network(Graph::erdos_renyi(16, 0.5, 1));
  LocalChannel channel(network);
  const DpcpResult result = solve_dpcp(channel, clouds, {});
  EXPECT_TRUE(result.road.lowered);
  EXPECT_NE(result.road.note().find("took a lower one"), std::string::npos);
  EXPECT_LE(result.traffic.bytes_per_agent(network.graph), 64'000);
}

}  // namespace
}  // namespace roadplane
