#include "roadplane/geometry/shards.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "roadplane/base/counter_random.hpp"
#include "roadplane/base/field_error.hpp"

namespace roadplane {
namespace {

constexpr ShardKind kAll[] = {ShardKind::azimuth, ShardKind::contiguous, ShardKind::interleaved,
                              ShardKind::random};

Scan scan_of(std::size_t count) {
  CounterRandom random(3, RandomUse::user);
  Scan scan(count);
  for (Point& p : scan) {
    p = {static_cast<float>(random.normal()), static_cast<float>(random.normal()), 0, 0};
  }
  return scan;
}

TEST(Shards, EveryPointBelongsToOneAgentAndSizesDifferByAtMostOne) {
  for (const ShardKind kind : kAll) {
    for (const std::size_t count : {0U, 1U, 5U, 16U, 1000U, 1001U}) {
      for (const int agents : {1, 3, 16}) {
        const Shards shards = make_shards(scan_of(count), kind, agents, 1);
        ASSERT_EQ(shards.agents(), agents);
        std::vector<int> owners(count, 0);
        std::size_t smallest = count;
        std::size_t largest = 0;
        for (int i = 0; i < agents; ++i) {
          for (const std::uint32_t k : shards[i]) ++owners.at(k);
          smallest = std::min(smallest, shards[i].size());
          largest = std::max(largest, shards[i].size());
        }
        EXPECT_TRUE(std::all_of(owners.begin(), owners.end(), [](int n) { return n == 1; }))
            << to_string(kind) << ", " << count << " points, " << agents << " agents";
        EXPECT_LE(largest - smallest, 1U);
      }
    }
  }
}

TEST(Shards, AzimuthShardsAreSectors) {
  const Scan scan = scan_of(100'000);  // many points in a sector that a border cuts
  const Shards shards = make_shards(scan, ShardKind::azimuth, 8);
  const auto less = [&](std::uint32_t a, std::uint32_t b) {
    return std::atan2(scan[a].y, scan[a].x) < std::atan2(scan[b].y, scan[b].x);
  };
  for (int i = 0; i + 1 < 8; ++i) {
    const std::uint32_t last = *std::max_element(shards[i].begin(), shards[i].end(), less);
    const std::uint32_t next = *std::min_element(shards[i + 1].begin(), shards[i + 1].end(), less);
    EXPECT_TRUE(less(last, next)) << i;
  }
}

TEST(Shards, SeveralBordersMayCutOneSector) {
  Scan scan = scan_of(30);
  const std::size_t wide = scan.size();
  for (int k = 0; k < 100; ++k) {  // all in the sector behind the x axis, in no order
    scan.push_back({10, 1e-5F * static_cast<float>((k * 37) % 100), -1, 0});
  }
  const Shards shards = make_shards(scan, ShardKind::azimuth, 13);
  std::vector<float> narrow;
  for (const std::uint32_t k : shards.order) {
    if (k >= wide) narrow.push_back(scan[k].y);
  }
  EXPECT_EQ(narrow.size(), 100U);
  EXPECT_TRUE(std::is_sorted(narrow.begin(), narrow.end()));
}

TEST(Shards, AzimuthTakesNaN) {
  Scan scan = scan_of(100);
  for (std::size_t k = 0; k < 100; k += 3) scan[k].x = std::numeric_limits<float>::quiet_NaN();
  const Shards shards = make_shards(scan, ShardKind::azimuth, 4);
  EXPECT_EQ(shards.order.size(), 100U);
}

TEST(Shards, TheSeedDecidesTheRandomOnes) {
  const Scan scan = scan_of(500);
  EXPECT_EQ(make_shards(scan, ShardKind::random, 4, 1).order,
            make_shards(scan, ShardKind::random, 4, 1).order);
  EXPECT_NE(make_shards(scan, ShardKind::random, 4, 1).order,
            make_shards(scan, ShardKind::random, 4, 2).order);
}

TEST(Shards, NamesRoundTripAndUnknownOnesAreRefused) {
  for (const ShardKind kind : kAll) EXPECT_EQ(shard_kind_from_string(to_string(kind)), kind);
  EXPECT_THROW(shard_kind_from_string("rings"), FieldError);
  EXPECT_THROW(make_shards({}, ShardKind::random, 0), FieldError);
}

}  // namespace
}  // namespace roadplane
