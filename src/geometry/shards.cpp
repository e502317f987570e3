#include "roadplane/geometry/shards.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "roadplane/random/counter_random.hpp"

namespace roadplane {
namespace {

constexpr std::array<std::pair<ShardKind, std::string_view>, 4> kNames{{
    {ShardKind::azimuth, "azimuth"},
    {ShardKind::contiguous, "contiguous"},
    {ShardKind::interleaved, "interleaved"},
    {ShardKind::random, "random"},
}};

/// Positions sorted by azimuth; points without one (NaN) come last, ties keep the scan's order.
void order_by_azimuth(PointSpan points, std::vector<std::uint32_t>& order) {
  std::vector<float> azimuth(points.size());
  for (std::size_t k = 0; k < points.size(); ++k) {
    const float angle = std::atan2(points[k].y, points[k].x);
    azimuth[k] = std::isnan(angle) ? 4.0F : angle;
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return azimuth[a] < azimuth[b]; });
}

void shuffle(std::vector<std::uint32_t>& order, std::uint64_t seed) {
  CounterRandom random(seed, RandomUse::shards);
  for (std::size_t k = order.size(); k > 1; --k) {
    std::swap(order[k - 1], order[random.below(static_cast<std::uint32_t>(k))]);
  }
}

}  // namespace

std::string_view to_string(ShardKind kind) {
  for (const auto& [value, name] : kNames) {
    if (value == kind) return name;
  }
  return "?";
}

ShardKind shard_kind_from_string(std::string_view name) {
  for (const auto& [value, known] : kNames) {
    if (known == name) return value;
  }
  throw std::invalid_argument(
      "shards: expected azimuth, contiguous, interleaved or random, found \"" + std::string(name) +
      "\"");
}

Shards make_shards(PointSpan points, ShardKind kind, int agents, std::uint64_t seed) {
  if (agents < 1) {
    throw std::invalid_argument("agents: expected at least 1, found " + std::to_string(agents));
  }
  const std::size_t count = points.size();
  Shards shards;
  shards.begins.resize(agents + 1);
  for (int i = 0; i <= agents; ++i) {
    // Agent i gets count/d points, the first count%d agents one more.
    shards.begins[i] =
        static_cast<std::uint32_t>(count / agents * i + std::min<std::size_t>(i, count % agents));
  }
  shards.order.resize(count);
  std::iota(shards.order.begin(), shards.order.end(), 0U);
  switch (kind) {
    case ShardKind::contiguous:
      break;
    case ShardKind::azimuth:
      order_by_azimuth(points, shards.order);
      break;
    case ShardKind::random:
      shuffle(shards.order, seed);
      break;
    case ShardKind::interleaved: {
      std::size_t next = 0;
      for (int i = 0; i < agents; ++i) {
        for (std::size_t k = i; k < count; k += agents) {
          shards.order[next++] = static_cast<std::uint32_t>(k);
        }
      }
      break;
    }
  }
  return shards;
}

}  // namespace roadplane
