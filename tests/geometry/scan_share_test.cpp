#include "roadplane/geometry/scan_share.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "support/random_data.hpp"

namespace roadplane {
namespace {

TEST(ScanShare, AnyOtherPointIsAnotherChecksum) {
  Scan scan(70'000, Point{1, 2, 3, 4});
  const std::uint64_t sum = checksum_of(ScanInMemory(scan));
  EXPECT_EQ(take_share(ScanInMemory(scan), ShardKind::contiguous, 4, 1, 2, 1).checksum, sum);
  for (const std::size_t k : {0U, 40'000U, 69'999U}) {
    Scan other = scan;
    other[k].z += 1;
    EXPECT_NE(checksum_of(ScanInMemory(other)), sum) << k;
  }
  std::swap(scan[0].x, scan[0].y);
  EXPECT_NE(checksum_of(ScanInMemory(scan)), sum);
}

constexpr ShardKind kKinds[] = {ShardKind::azimuth, ShardKind::contiguous, ShardKind::interleaved,
                                ShardKind::random};

/// Every agent's points, one after the other, with their positions in the scan.
struct AgentPoint {
  std::uint32_t position;
  Point point;
  friend bool operator==(const AgentPoint& a, const AgentPoint& b) {
    return a.position == b.position && std::memcmp(&a.point, &b.point, sizeof(Point)) == 0;
  }
};

std::vector<AgentPoint> by_whole(const Scan& scan, const Shards& shards, int agent) {
  std::vector<AgentPoint> points;
  for (const std::uint32_t k : shards[agent]) points.push_back({k, scan[k]});
  return points;
}

std::vector<AgentPoint> by_share(const ScanShare& share, int hosted) {
  std::vector<AgentPoint> points;
  for (const std::uint32_t k : share.shards[hosted]) {
    points.push_back({share.positions[k], share.points[k]});
  }
  return points;
}

void expect_shares_equal_whole(const Scan& scan, int agents, int ranks) {
  for (const ShardKind kind : kKinds) {
    const Shards shards = make_shards(scan, kind, agents, 7);
    int first = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const int count = agents / ranks + (rank < agents % ranks ? 1 : 0);
      const ScanShare share = take_share(ScanInMemory(scan), kind, agents, 7, first, count);
      EXPECT_EQ(share.scan_points, scan.size());
      EXPECT_TRUE(std::is_sorted(share.positions.begin(), share.positions.end()));
      ASSERT_EQ(share.shards.agents(), count);
      ASSERT_EQ(share.points.size(), share.shards.order.size());
      for (int h = 0; h < count; ++h) {
        EXPECT_EQ(by_share(share, h), by_whole(scan, shards, first + h))
            << to_string(kind) << ", " << scan.size() << " points, agent " << first + h << " of "
            << agents << " on rank " << rank << " of " << ranks;
      }
      first += count;
    }
  }
}

TEST(ScanShare, IsWhatTheAgentsGetOfTheWholeScan) {
  for (const std::size_t points : {1U, 5U, 16U, 1000U, 70'001U}) {
    const Scan scan = test::random_scan(points, 3);
    for (const auto& [agents, ranks] : {std::pair{16, 3}, {16, 16}, {5, 2}, {1, 1}}) {
      expect_shares_equal_whole(scan, agents, ranks);
    }
  }
}

/// Borders then lie within sectors, which must be put in exact order by those who share them.
TEST(ScanShare, PointsInOneDirection) {
  Scan scan(1000, Point{10, 0.01F, -1.7F, 0});
  for (std::size_t k = 0; k < scan.size(); ++k) {
    scan[k].y = 1e-4F * static_cast<float>(k * 7919 % 1000);
    if (k % 50 == 0) scan[k] = {NAN, 1, 1, 0};
    if (k % 60 == 0) scan[k] = {0, 0, 0, 0};
  }
  expect_shares_equal_whole(scan, 16, 5);
  expect_shares_equal_whole(Scan(100, Point{10, 0, 0, 0}), 16, 4);
}

TEST(ScanShare, AWholeScanNeedsNoPositions) {
  const Scan scan = test::random_scan(100, 3);
  const ScanShare share = whole_share(scan, ShardKind::azimuth, 4, 1);
  EXPECT_EQ(share.points, scan);
  EXPECT_TRUE(share.positions.empty());
  EXPECT_EQ(share.shards.order, make_shards(scan, ShardKind::azimuth, 4, 1).order);
}

/// Blocks are looked at one by one; the last one is not full.
TEST(ScanShare, AWholeScanIsTheSameHoweverItIsRead) {
  for (const std::size_t points : {1U, 1000U, 70'001U}) {
    const Scan scan = test::random_scan(points, 3);
    for (const ShardKind kind : kKinds) {
      const ScanShare at_once = whole_share(scan, kind, 5, 7);
      const ScanShare in_blocks = whole_share(ScanInMemory(scan), kind, 5, 7);
      EXPECT_EQ(in_blocks.scan_points, points);
      EXPECT_EQ(in_blocks.points, scan);
      EXPECT_TRUE(in_blocks.positions.empty());
      EXPECT_EQ(in_blocks.shards.order, at_once.shards.order) << to_string(kind);
      EXPECT_EQ(in_blocks.shards.begins, at_once.shards.begins);
    }
  }
}

}  // namespace
}  // namespace roadplane
