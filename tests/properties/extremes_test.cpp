// Legal and unusual: what nobody measures, and what must still end with a plane or a reason.

#include <gtest/gtest.h>

#include "dpcp/shard_clouds.hpp"
#include "roadplane/dpcp/find_plane.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "support/random_data.hpp"

namespace roadplane {
namespace {

const Plane kRoad{Eigen::Vector3d(0.02, -0.01, 1).normalized(), 1.7};

/// Two thirds on the road, the rest above it.
Scan road_scan(std::size_t count, double size = 1) {
  Scan scan = test::random_scan(count, 3);
  for (std::size_t k = 0; k < scan.size(); ++k) {
    Point& p = scan[k];
    const double down = kRoad.signed_distance_m(p) / kRoad.normal.z();
    p.z += static_cast<float>((k % 3 == 0 ? std::abs(down) : 0) - down);
    p = {static_cast<float>(size * p.x), static_cast<float>(size * p.y),
         static_cast<float>(size * p.z), p.reflectance};
  }
  return scan;
}

/// Every agent has a plane or none has, and whoever has none says why.
void expect_planes_or_a_reason(const PlaneFit& fit, int agents, const std::string& what) {
  if (fit.w.empty()) {
    EXPECT_NE(fit.solve.termination, Termination::converged) << what;
    return;
  }
  ASSERT_EQ(fit.w.size(), static_cast<std::size_t>(agents)) << what;
  for (const Eigen::Vector4d& w : fit.w) {
    ASSERT_TRUE(w.allFinite()) << what;
    EXPECT_NEAR(w.norm(), 1, 1e-9) << what;
  }
}

PlaneFit find(const Network& network, const std::vector<HomogeneousCloud>& clouds,
              const PlaneOptions& options = {}) {
  LocalChannel channel(network);
  return find_plane(channel, clouds, options);
}

TEST(Extremes, SizesFromAMillimetreToAHundredKilometresEndWithPlanesOrAReason) {
  const Network network(Graph::ring(4));
  for (const double size : {1e-3, 1e-2, 0.1, 10.0, 1e3, 1e5}) {
    const Scan scan = road_scan(3000, size / 40);
    const auto clouds = test::shard_clouds(scan, ShardKind::interleaved, 4);
    PlaneOptions l3;
    l3.objective = L3Options{};
    expect_planes_or_a_reason(find(network, clouds), 4, std::to_string(size));
    expect_planes_or_a_reason(find(network, clouds, l3), 4, std::to_string(size) + " l3");
  }
}

TEST(Extremes, AgentsWithoutPointsFindThePlaneOfTheOthers) {
  const Network network(Graph::erdos_renyi(8, 0.5, 1));
  auto clouds = test::shard_clouds(road_scan(8000), ShardKind::interleaved, 8);
  for (const int empty : {0, 3, 7}) clouds[empty] = HomogeneousCloud();
  const PlaneFit fit = find(network, clouds);
  ASSERT_EQ(fit.w.size(), 8U);
  for (const Eigen::Vector4d& w : fit.w) EXPECT_LT(recovery_error(w, kRoad.hyperplane()), 1e-3);
}

TEST(Extremes, OneOrTwoPointsAnAgentEndWithPlanesOrAReason) {
  for (const int agents : {1, 2, 3, 16, 50}) {
    const Network network(Graph::path(agents));
    for (const int each : {0, 1, 2}) {
      const Scan scan = road_scan(static_cast<std::size_t>(agents * each));
      const auto clouds = test::shard_clouds(scan, ShardKind::interleaved, agents);
      expect_planes_or_a_reason(find(network, clouds), agents,
                                std::to_string(agents) + " x " + std::to_string(each));
    }
  }
}

TEST(Extremes, AllPointsInOnePlaceOrOnALineAreNoPlane) {
  const Network network(Graph::ring(4));
  Scan place(400, Point{3, 1, -1.7F, 0});
  Scan line = place;
  for (std::size_t k = 0; k < line.size(); ++k) line[k].x = static_cast<float>(k);
  for (const Scan& scan : {place, line}) {
    const PlaneFit fit = find(network, test::shard_clouds(scan, ShardKind::contiguous, 4));
    EXPECT_TRUE(fit.w.empty() || fit.finding.suspect());
  }
}

void expect_the_road(const Graph& graph) {
  const auto clouds = test::shard_clouds(road_scan(20000), ShardKind::interleaved, graph.size());
  const PlaneFit fit = find(Network(graph), clouds);
  ASSERT_EQ(fit.w.size(), static_cast<std::size_t>(graph.size()));
  for (const Eigen::Vector4d& w : fit.w) {
    ASSERT_LT(recovery_error(w, fit.w.front()), 1e-3);
    ASSERT_LT(recovery_error(w, kRoad.hyperplane()), 5e-3);
  }
}

TEST(Extremes, AThousandAgentsOnAStarAgree) { expect_the_road(Graph::star(1000)); }

// The slowest network of all: a message takes 150 rounds to the other side.
TEST(Extremes, ThreeHundredAgentsOnARingAgree) { expect_the_road(Graph::ring(300)); }

}  // namespace
}  // namespace roadplane
