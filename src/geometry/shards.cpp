#include "roadplane/geometry/shards.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "azimuth_parts.hpp"
#include "roadplane/base/counter_random.hpp"
#include "roadplane/base/named_values.hpp"

namespace roadplane {
namespace {

constexpr NamedValues<ShardKind, 4> kNames{{
    {ShardKind::azimuth, "azimuth"},
    {ShardKind::contiguous, "contiguous"},
    {ShardKind::interleaved, "interleaved"},
    {ShardKind::random, "random"},
}};

}  // namespace

std::string_view to_string(ShardKind kind) { return name_of(kNames, kind); }

ShardKind shard_kind_from_string(std::string_view name) { return value_of(kNames, name, "shards"); }

std::vector<std::uint32_t> shard_begins(std::size_t points, int agents) {
  require(agents >= 1, "agents", "at least 1", agents);
  std::vector<std::uint32_t> begins(agents + 1);
  for (int i = 0; i <= agents; ++i) {
    // Agent i gets n/d points, the first n%d agents one more.
    begins[i] =
        static_cast<std::uint32_t>(points / agents * i + std::min<std::size_t>(i, points % agents));
  }
  return begins;
}

RecycledVector<std::uint32_t> shuffled_positions(std::size_t points, std::uint64_t seed) {
  RecycledVector<std::uint32_t> order(points);
  std::iota(order.begin(), order.end(), 0U);
  CounterRandom random(seed, RandomUse::shards);
  for (std::size_t k = points; k > 1; --k) {
    std::swap(order[k - 1], order[random.below(static_cast<std::uint32_t>(k))]);
  }
  return order;
}

Shards make_shards(const PointRows& points, ShardKind kind, int agents, std::uint64_t seed) {
  if (kind != ShardKind::azimuth) return make_shards(points.size(), kind, agents, seed);
  ScanSectors sectors(points.size());
  sectors.find(points);
  return azimuth_shards(points, sectors, agents);
}

Shards make_shards(std::size_t points, ShardKind kind, int agents, std::uint64_t seed) {
  Shards shards{{}, shard_begins(points, agents)};
  switch (kind) {
    case ShardKind::azimuth:
      throw FieldError("shards", "contiguous, interleaved or random",
                       "azimuth, which is for scans");
    case ShardKind::random:
      shards.order = shuffled_positions(points, seed);
      break;
    case ShardKind::contiguous:
      shards.order.resize(points);
      std::iota(shards.order.begin(), shards.order.end(), 0U);
      break;
    case ShardKind::interleaved:
      shards.order.reserve(points);
      for (int i = 0; i < agents; ++i) {
        for (std::size_t k = i; k < points; k += agents) {
          shards.order.push_back(static_cast<std::uint32_t>(k));
        }
      }
      break;
  }
  return shards;
}

std::vector<std::uint16_t> owners(const Shards& shards) {
  std::vector<std::uint16_t> owner(shards.order.size());
  for (int i = 0; i < shards.agents(); ++i) {
    for (const std::uint32_t k : shards[i]) owner[k] = static_cast<std::uint16_t>(i);
  }
  return owner;
}

}  // namespace roadplane
