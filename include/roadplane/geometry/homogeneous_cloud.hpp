#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "roadplane/base/aligned.hpp"
#include "roadplane/geometry/point_rows.hpp"
#include "roadplane/geometry/shards.hpp"
#include "roadplane/kernels/cloud_kernels.hpp"

namespace roadplane {

/// The unit columns b = [x y z 1]'/norm of a scan, or of one agent's shard of it: of all points, or
/// of a sample that stands for them.
///
/// Stored as a structure of arrays in groups of 16 points: 16 x, 16 y, 16 z, 16 w, a cache line
/// each and a register of the widest instruction set: a pass loads whole vectors, whatever their
/// width. The points are dealt out to the groups in turn, so that every group is a sample of the
/// whole cloud. The tail is padded with zero columns, which add nothing to any sum.
class HomogeneousCloud {
 public:
  static constexpr std::size_t kLanes = 16;  ///< points in a group; their number is padded to that
  static constexpr std::size_t kGroupFloats = 4 * kLanes;

  static constexpr std::size_t kAll = ~std::size_t{0};
  /// How many points are taken, and which.
  struct Sample {
    std::size_t most = kAll;
    std::uint32_t agent = 0;  ///< agents whose shards interleave look at different places
  };

  /// All points, or a sample; `index` of a column is the point's position in `points`.
  void assign(const PointRows& points, const Sample& sample);
  void assign(const PointRows& points) { assign(points, Sample{}); }
  /// The points named by `subset`; `index` of a column is the subset's entry.
  void assign(const PointRows& points, std::span<const std::uint32_t> subset, const Sample& sample);
  void assign(const PointRows& points, std::span<const std::uint32_t> subset) {
    assign(points, subset, Sample{});
  }

  /// The columns of another cloud's points after a motion.
  void assign_moved(const HomogeneousCloud& cloud, const Eigen::Matrix<double, 3, 4>& motion);

  /// Columns in use: NaN, infinite, overflowing and origin points are left out.
  std::size_t size() const { return used_; }
  /// Usable points that they stand for.
  double points() const { return static_cast<double>(size()) * points_per_column_; }
  bool empty() const { return used_ == 0; }

  /// Position in the scan of each column; none in a moved cloud.
  std::span<const std::uint32_t> index() const { return index_; }

  /// The groups, one after the other.
  const float* groups() const { return groups_.data(); }
  std::size_t group_count() const { return group_count_; }

  /// The first float of column j; the other three follow at distance kLanes.
  const float* column_data(std::size_t j) const {
    return groups_.data() + j / kLanes * kGroupFloats + j % kLanes;
  }
  void prefetch(std::size_t j) const {
    for (std::size_t r = 0; r < 4; ++r) __builtin_prefetch(column_data(j) + r * kLanes);
  }
  Eigen::Vector4d column(std::size_t j) const {
    const float* b = column_data(j);
    return {b[0], b[kLanes], b[2 * kLanes], b[3 * kLanes]};
  }

  /// C = 1/l sum_j b_j b_j'; zero for an empty cloud.
  Eigen::Matrix4d second_moment() const;

 private:
  friend void assign_shards(const PointRows& points, const Shards& shards,
                            std::span<const int> agents, std::span<HomogeneousCloud> clouds,
                            const Sample& sample);

  static PointSample of(std::span<const std::uint32_t> subset, std::size_t count,
                        const Sample& sample);
  void fill(const PointRows& points, const PointSample& sample);
  /// A cloud to which the groups of such a sample are appended.
  void begin(const PointSample& sample);
  void append(const PointRows& points, const PointSample& sample, std::size_t first,
              std::size_t count);
  void finish();

  AlignedVector<float> groups_;  ///< never shrinks: clouds are reused from frame to frame
  std::size_t group_count_ = 0;
  std::size_t used_ = 0;  ///< columns so far
  double points_per_column_ = 1;
  std::vector<std::uint32_t> index_;
};

/// f(b) for four columns at a time, the padding included, in double precision: b[r][lane].
constexpr int kFour = 4;
template <class F>
void for_four_columns(const HomogeneousCloud& cloud, const F& f) {
  constexpr std::size_t kLanes = HomogeneousCloud::kLanes;
  for (std::size_t k = 0; k < cloud.group_count() * kLanes; k += kFour) {
    const float* column = cloud.column_data(k);
    double b[4][kFour];
    for (int r = 0; r < 4; ++r) {
      for (int lane = 0; lane < kFour; ++lane) b[r][lane] = column[r * kLanes + lane];
    }
    f(b);
  }
}

/// The clouds of several agents at once: clouds[i] gets agent agents[i]'s points. The same as
/// assigning one after the other, and faster where shards interleave: a piece of the scan is read
/// once for all. Of a sample, the agent is that of the first shard.
void assign_shards(const PointRows& points, const Shards& shards, std::span<const int> agents,
                   std::span<HomogeneousCloud> clouds, const HomogeneousCloud::Sample& sample = {});
}  // namespace roadplane
