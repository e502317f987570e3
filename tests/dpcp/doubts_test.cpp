#include <gtest/gtest.h>

#include "dpcp/shard_clouds.hpp"
#include "roadplane/base/counter_random.hpp"
#include "roadplane/dpcp/find_plane.hpp"

namespace roadplane {
namespace {

/// A street 1.7 m below the sensor, and a share of points anywhere up to 2 m below it.
Finding finding_with_points_below(double share) {
  CounterRandom random(5, RandomUse::user);
  Scan scan(12000);
  for (Point& p : scan) {
    const double below = random.uniform() < share ? 0.3 + 1.7 * random.uniform() : 0;
    p = {static_cast<float>(60 * random.uniform() - 30),
         static_cast<float>(60 * random.uniform() - 30),
         static_cast<float>(-1.7 - below + 0.01 * random.normal()), 0};
  }
  const Network network(Graph::ring(4));
  LocalChannel channel(network);
  return find_plane(channel, test::shard_clouds(scan, ShardKind::interleaved, 4), {}).finding;
}

TEST(Doubts, ManyPointsBelowAPlaneAreOneAndFewAreNot) {
  const auto doubted = [](const Finding& finding) {
    return finding.note().find("below the plane") != std::string::npos;
  };
  EXPECT_FALSE(doubted(finding_with_points_below(0.02)));
  EXPECT_TRUE(doubted(finding_with_points_below(0.35)));
}

}  // namespace
}  // namespace roadplane
