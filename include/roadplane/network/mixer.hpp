#pragma once

#include <array>
#include <span>
#include <vector>

#include "roadplane/base/aligned.hpp"
#include "roadplane/kernels/mix_kernels.hpp"
#include "roadplane/network/channel.hpp"
#include "roadplane/network/wire.hpp"

namespace roadplane {

/// What a message of so many numbers of gossip_average() takes on that network, if nothing else is
/// asked for than `wished`: whole times 8 bytes.
std::int64_t wire_bytes(int width, Wire wished, const Network& network);

/// How one application of the mixing matrix is carried out.
struct GossipOptions {
  int rounds = 1;          ///< messages per link; W becomes W^rounds, or a polynomial of it
  bool chebyshev = false;  ///< the Chebyshev polynomial of W that contracts most; plain rounds
                           ///< where links fail, since it needs the same W every time
  Wire wire = Wire::full;  ///< where the network does not ask for another
  bool once = false;       ///< an agreement by itself, with no later messages to tell what rounding
                           ///< leaves: half precision is the least

  /// What the numbers take on that network.
  Wire usable_wire(const Network& network) const;
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
  double* outgoing(int hosted_row) { return tables_[0].data() + begin(hosted_row); }
  /// What the agent has after mix(): sum_j P(W)_ij sent_j.
  const double* mixed(int hosted_row) const { return tables_[result_].data() + begin(hosted_row); }

  void mix();
  /// Everybody begins anew, with nothing heard so far: what was told may have been out of bounds.
  void forget();
  int width() const { return width_; }
  Traffic traffic() const;  ///< of one mix()

 private:
  std::size_t begin(int row) const { return static_cast<std::size_t>(row) * stride_; }
  std::byte* packed_row(int row) {
    return &packed_[static_cast<std::size_t>(row) * static_cast<std::size_t>(packed_bytes_)];
  }
  RowLayout layout(int rows) const;
  void send(std::span<double> table);
  void send_singles(std::span<double> table);
  void send_changes(std::span<const double> table);
  void pack_few_bits(std::span<const double> table);
  void add_few_bits();
  void step(std::span<const double> current, std::span<double> previous_then_next,
            const ChebyshevStep& s) const;

  const MixKernels& kernels_ = mix_kernels(active_isa());
  Channel& channel_;
  int width_;
  int rounds_per_message_;
  std::vector<ChebyshevStep> steps_;
  std::array<AlignedVector<double>, 2> tables_;  ///< what is sent first, and what comes of it
  Wire wire_;
  std::size_t stride_;               ///< numbers from one row of a table to the next
  int packed_bytes_;                 ///< that a row takes on the wire
  AlignedVector<std::byte> packed_;  ///< rows as they travel; empty if full
  AlignedVector<double> heard_;  ///< where changes are told: all rows as the neighbours have them
  std::uint64_t told_ = 0;       ///< messages of few bits so far: what random numbers hang on
  int result_ = 0;               ///< the table that holds the result
};

/// The factor by which `gossip` shrinks disagreement on a network with that SLEM.
double contraction(double slem, const GossipOptions& gossip);
/// The same on that network, whose links may fail.
double contraction(const Network& network, const GossipOptions& gossip);

}  // namespace roadplane
