#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "roadplane/base/recycled.hpp"
#include "roadplane/geometry/point_rows.hpp"

namespace roadplane {

/// How a scan is divided among the agents.
enum class ShardKind {
  azimuth,      ///< sectors around the sensor, as several sensors or vehicles would see
  contiguous,   ///< slices of the file; KITTI files are ordered by laser ring
  interleaved,  ///< every d-th point
  random,       ///< a seeded shuffle
};

std::string_view to_string(ShardKind kind);
/// Throws FieldError that lists the known names.
ShardKind shard_kind_from_string(std::string_view name);

/// A partition of point positions 0..n-1: every point belongs to exactly one agent and the agents'
/// shares differ by at most one point.
struct Shards {
  RecycledVector<std::uint32_t> order;  ///< positions, agent after agent
  std::vector<std::uint32_t> begins;    ///< agent i owns order[begins[i]] .. order[begins[i+1]-1]

  int agents() const { return static_cast<int>(begins.size()) - 1; }
  std::span<const std::uint32_t> operator[](int agent) const {
    return std::span(order).subspan(begins[agent], begins[agent + 1] - begins[agent]);
  }
};

/// All positions of a scan of so many points, in the order of its random shards.
RecycledVector<std::uint32_t> shuffled_positions(std::size_t points, std::uint64_t seed);

/// Shards::begins of a scan of so many points.
std::vector<std::uint32_t> shard_begins(std::size_t points, int agents);

/// The agent that holds each point.
std::vector<std::uint16_t> owners(const Shards& shards);

Shards make_shards(const PointRows& points, ShardKind kind, int agents, std::uint64_t seed = 0);
/// The same of points that are not in space: any kind but azimuth.
Shards make_shards(std::size_t points, ShardKind kind, int agents, std::uint64_t seed = 0);

}  // namespace roadplane
