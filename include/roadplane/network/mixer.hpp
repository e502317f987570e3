#pragma once

#include <array>
#include <span>
#include <vector>

#include "roadplane/base/aligned.hpp"
#include "roadplane/network/channel.hpp"

namespace roadplane {

/// How one application of the mixing matrix is carried out.
struct GossipOptions {
  int rounds = 1;          ///< messages per link; W becomes W^rounds, or a polynomial of it
  bool chebyshev = false;  ///< the Chebyshev polynomial of W that contracts most; plain rounds
                           ///< where links fail, since it needs the same W every time
  bool single = false;     ///< numbers travel in single precision: half the bytes

  /// Throws InputError naming the bad field.
  void validate() const;
};

/// Applies W, or a polynomial of it that keeps the mean, to a table of rows of doubles.
///
/// Chebyshev acceleration: P(W) = T_K(W / sigma) / T_K(1 / sigma) with sigma the SLEM shrinks
/// disagreement by 1 / T_K(1 / sigma) in K rounds (Arioli & Scott, 2014; Scaman et al., ICML 2017).
class Mixer {
 public:
  /// `rounds_per_message`: the paper's count of one message (2 where X and D share it).
  Mixer(Channel& channel, int width, const GossipOptions& gossip, int rounds_per_message = 1);

  /// Where a hosted agent puts what it sends.
  double* outgoing(int hosted_row) { return tables_[0].data() + hosted_row * width_; }
  /// What the agent has after mix(): sum_j P(W)_ij sent_j.
  const double* mixed(int hosted_row) const {
    return tables_[result_].data() + hosted_row * width_;
  }

  void mix();
  int width() const { return width_; }
  Traffic traffic() const;  ///< of one mix()

 private:
  struct Step {  ///< next = forward * W current - backward * previous
    double forward;
    double backward;
  };
  void send(std::span<double> table);
  void step(std::span<const double> current, std::span<double> previous_then_next, Step s) const;

  Channel& channel_;
  int width_;
  int rounds_per_message_;
  std::vector<Step> steps_;
  std::array<AlignedVector<double>, 2> tables_;  ///< what is sent first, and what comes of it
  AlignedVector<double> packed_;                 ///< two floats in each double; empty if not needed
  int result_ = 0;                               ///< the table that holds the result
};

/// The factor by which `gossip` shrinks disagreement on a network with that SLEM.
double contraction(double slem, const GossipOptions& gossip);
/// The same on that network, whose links may fail.
double contraction(const Network& network, const GossipOptions& gossip);

}  // namespace roadplane
