#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "roadplane/geometry/shards.hpp"

namespace roadplane {

/// A scan that is read in pieces, so that the whole of it need not be in memory.
class PointSource {
 public:
  virtual ~PointSource() = default;
  virtual std::size_t size() const = 0;
  /// Points first .. first + into.size() - 1. Throws InputError if they cannot be read.
  virtual void read(std::size_t first, std::span<Point> into) const = 0;
};

/// A scan that is in memory all the same.
class ScanInMemory final : public PointSource {
 public:
  explicit ScanInMemory(PointSpan points) : points_(points) {}
  std::size_t size() const override { return points_.size(); }
  void read(std::size_t first, std::span<Point> into) const override;

 private:
  PointSpan points_;
};

/// What a process holds of a scan: the points of the agents that it hosts, or all of them.
struct ScanShare {
  std::size_t scan_points = 0;           ///< of the whole scan
  Scan points = {};                      ///< in the scan's order
  std::vector<std::uint32_t> positions;  ///< of the points in the scan; empty for a whole scan
  Shards shards;                         ///< of the hosted agents only, as indices of `points`
  std::uint64_t checksum = 0;            ///< of the whole scan; 0 in a whole share
};

/// Of all points, in their order: who sees another scan has another number, all but certainly.
std::uint64_t checksum_of(const PointSource& scan);

ScanShare whole_share(Scan scan, ShardKind kind, int agents, std::uint64_t seed);
/// The same of a scan that is yet to be read: a block of points is looked at while it is still in
/// the second cache.
ScanShare whole_share(const PointSource& scan, ShardKind kind, int agents, std::uint64_t seed);

/// The share of agents first .. first + count - 1: the very points, in the very order, that
/// make_shards() of the whole scan gives them, and the checksum of all. Memory is that of their
/// points (and, for random shards, 8 bytes for each point of the scan).
ScanShare take_share(const PointSource& scan, ShardKind kind, int agents, std::uint64_t seed,
                     int first, int count);

}  // namespace roadplane
