#include "roadplane/geometry/shards.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
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

/// Ascends with the azimuth from -pi to pi, as 0 to 4, without trigonometry. Points without an
/// azimuth (NaN) come last.
float pseudo_azimuth(const Point& p) {
  const float length = std::abs(p.x) + std::abs(p.y);
  const float slope = p.x / (length + std::numeric_limits<float>::min());
  const float turn = p.y < 0 ? 1.0F + slope : 3.0F - slope;
  return turn >= 0 && turn <= 4 ? turn : 4.0F;
}

/// Positions by azimuth, as far as the shards need it: a counting sort over narrow sectors, and an
/// exact one only within those that a shard's border cuts. Linear in the number of points.
void order_by_azimuth(PointSpan points, std::span<const std::uint32_t> begins,
                      std::vector<std::uint32_t>& order) {
  constexpr std::size_t kSectors = 4096;
  std::vector<float> azimuth(points.size());
  std::vector<std::uint16_t> sector(points.size());
  std::vector<std::uint32_t> starts(kSectors + 1, 0);
  for (std::size_t k = 0; k < points.size(); ++k) azimuth[k] = pseudo_azimuth(points[k]);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const auto number = static_cast<std::size_t>(azimuth[k] * (kSectors / 4.0F));
    sector[k] = static_cast<std::uint16_t>(std::min(number, kSectors - 1));
    ++starts[sector[k] + 1];
  }
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
  for (std::size_t k = 0; k < points.size(); ++k) {
    order[next[sector[k]]++] = static_cast<std::uint32_t>(k);
  }
  for (const std::uint32_t border : begins) {
    if (border == 0 || border >= order.size()) continue;
    const std::size_t cut = sector[order[border]];
    std::stable_sort(order.begin() + starts[cut], order.begin() + starts[cut + 1],
                     [&](std::uint32_t a, std::uint32_t b) { return azimuth[a] < azimuth[b]; });
  }
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
      order_by_azimuth(points, shards.begins, shards.order);
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
