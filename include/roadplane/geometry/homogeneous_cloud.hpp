#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "roadplane/base/aligned.hpp"
#include "roadplane/geometry/point.hpp"
#include "roadplane/geometry/shards.hpp"

namespace roadplane {

/// The unit columns b = [x y z 1]'/norm of a scan, or of one agent's shard of it.
///
/// Stored as a structure of arrays in blocks of four points: x x x x y y y y z z z z w w w w. A
/// block is one cache line, so a randomly drawn sample costs one memory access however large the
/// cloud is, and a full pass still loads whole vectors. The tail is padded with zero columns, which
/// add nothing to any sum.
class HomogeneousCloud {
 public:
  static constexpr std::size_t kLanes = 4;         ///< points in a block
  static constexpr std::size_t kBlockFloats = 16;  ///< floats in a block
  static constexpr std::size_t kPadding = 16;      ///< the point count is padded to a multiple

  /// All points; `index` of a column is the point's position in `points`.
  void assign(PointSpan points);
  /// The points named by `subset`, in that order; `index` of a column is the subset's entry.
  void assign(PointSpan points, std::span<const std::uint32_t> subset);

  /// Columns in use: NaN, infinite, overflowing and origin points are left out.
  std::size_t size() const { return index_.size(); }
  bool empty() const { return index_.empty(); }

  /// Position in the scan of each column.
  std::span<const std::uint32_t> index() const { return index_; }

  /// The blocks; there are padded_size() / kLanes of them.
  const float* blocks() const { return blocks_.data(); }
  std::size_t padded_size() const { return padded_size_; }

  /// The first float of column j; the other three follow at distance kLanes.
  const float* column_data(std::size_t j) const {
    return blocks_.data() + j / kLanes * kBlockFloats + j % kLanes;
  }
  Eigen::Vector4d column(std::size_t j) const {
    const float* b = column_data(j);
    return {b[0], b[kLanes], b[2 * kLanes], b[3 * kLanes]};
  }

  /// C = 1/l sum_j b_j b_j'; zero for an empty cloud.
  Eigen::Matrix4d second_moment() const;

 private:
  friend void assign_shards(PointSpan points, const Shards& shards, std::span<const int> agents,
                            std::span<HomogeneousCloud> clouds);

  /// `subset` names the points; null means all.
  void fill(PointSpan points, const std::uint32_t* subset, std::size_t count);
  /// A cloud of at most `count` columns, filled by appending entries first..first+count-1.
  void begin(std::size_t count);
  void append(PointSpan points, const std::uint32_t* subset, std::size_t first, std::size_t count);
  void finish();

  AlignedVector<float> blocks_;  ///< never shrinks: clouds are reused from frame to frame
  std::size_t padded_size_ = 0;
  std::size_t used_ = 0;    ///< columns so far
  std::size_t summed_ = 0;  ///< columns whose moments are in the sums; whole groups of kPadding
  std::vector<std::uint32_t> index_;
  double moment_sums_[10] = {};  ///< the lower triangle of sum b b', row by row
};

/// The clouds of several agents at once: clouds[i] gets agent agents[i]'s points. The same as
/// assigning one after the other, and faster where shards interleave: a piece of the scan is read
/// once for all.
void assign_shards(PointSpan points, const Shards& shards, std::span<const int> agents,
                   std::span<HomogeneousCloud> clouds);

}  // namespace roadplane
