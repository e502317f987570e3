#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "roadplane/network/gossip.hpp"

namespace roadplane {

/// A row of numbers per hosted agent, averaged by gossip in every iteration: what the methods that
/// talk about moments have in common. The tolerance is relative to the agents' disagreement.
class GossipedRows {
 public:
  GossipedRows(Channel& channel, int hosted, int width, double tolerance)
      : channel_(channel),
        width_(width),
        tolerance_(tolerance),
        rows_(static_cast<std::size_t>(hosted) * static_cast<std::size_t>(width)) {
    const Network& network = channel.network();
    GossipOptions how = kHow;  // as gossip_average() takes it on that network
    how.rounds = gossip_rounds(network.round_factor, tolerance, how.chebyshev && network.steady());
    traffic_ = Mixer(channel, width, how).traffic();
  }

  double* row(int hosted_row) { return &rows_[static_cast<std::size_t>(hosted_row * width_)]; }

  void average() {
    const Traffic before = channel_.traffic();
    gossip_average(channel_, rows_, width_, tolerance_, kHow);
    const Traffic took = channel_.traffic() - before;
    if (took.rounds > traffic_.rounds) traffic_ = took;
  }

  /// Of an average; where links fail, of the longest so far.
  const Traffic& traffic() const { return traffic_; }

 private:
  static constexpr GossipOptions kHow{.chebyshev = true, .wire = Wire::single, .once = true};

  Channel& channel_;
  int width_;
  double tolerance_;
  std::vector<double> rows_;
  Traffic traffic_;
};

/// Numbers of the lower triangle of a symmetric n x n matrix.
inline int triangle_of(Eigen::Index n) { return static_cast<int>(n * (n + 1) / 2); }

/// Puts it at `entry`, and says where it ends.
inline double* pack_triangle(const Eigen::MatrixXd& matrix, double* entry) {
  for (Eigen::Index r = 0; r < matrix.rows(); ++r) {
    for (Eigen::Index c = 0; c <= r; ++c) *entry++ = matrix(r, c);
  }
  return entry;
}

inline const double* unpack_triangle(const double* entry, Eigen::MatrixXd& matrix) {
  for (Eigen::Index r = 0; r < matrix.rows(); ++r) {
    for (Eigen::Index c = 0; c <= r; ++c) matrix(r, c) = matrix(c, r) = *entry++;
  }
  return entry;
}

}  // namespace roadplane
