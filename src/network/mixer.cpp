#include "roadplane/network/mixer.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "packing.hpp"
#include "roadplane/base/field_error.hpp"

namespace roadplane {
namespace {

/// ratio_k = T_{k-1}(1/sigma) / T_k(1/sigma); a recursion that also holds for sigma = 0.
double next_ratio(double slem, double ratio) { return slem / (2 - slem * ratio); }

/// Of a row of so many numbers in `blocks` matrices.
int bytes_of(int width, Wire wire, int blocks) {
  if (wire.rounds_at_random()) return FewBits{wire.bits, blocks}.bytes(width);
  constexpr int kWhole = sizeof(double);
  return (width * wire.bits / 8 + kWhole - 1) / kWhole * kWhole;
}

/// row = forward * sum_links weight * table[link] - backward * row. With the width known at compile
/// time the sums stay in registers.
template <int kWidth>
void combine(std::span<const Channel::Link> links, const double* table, double forward,
             double backward, double* row) {
  double sums[kWidth] = {};
  for (const auto& [other, weight] : links) {
    const double* values = table + other * kWidth;
    for (int c = 0; c < kWidth; ++c) sums[c] += weight * values[c];
  }
  if (backward == 0) {
    for (int c = 0; c < kWidth; ++c) row[c] = forward * sums[c];
  } else {
    for (int c = 0; c < kWidth; ++c) row[c] = forward * sums[c] - backward * row[c];
  }
}

void combine(std::span<const Channel::Link> links, const double* table, int width, double forward,
             double backward, double* row) {
  for (int c = 0; c < width; ++c) row[c] = backward == 0 ? 0 : -backward * row[c];
  for (const auto& [other, weight] : links) {
    const double* values = table + static_cast<std::size_t>(other) * width;
    const double factor = forward * weight;
    for (int c = 0; c < width; ++c) row[c] += factor * values[c];
  }
}

}  // namespace

Wire GossipOptions::usable_wire(const Network& network) const {
  const Wire asked = network.wire.value_or(wire);
  if (asked.tells_changes() && !network.steady()) return Wire::single;
  return once && asked.rounds_at_random() ? Wire::half : asked;
}

std::int64_t wire_bytes(int width, Wire wished, const Network& network) {
  return bytes_of(width, GossipOptions{.wire = wished, .once = true}.usable_wire(network), 1);
}

void GossipOptions::validate() const {
  require(rounds >= 1, "gossip.rounds", "at least 1", rounds);
}

Mixer::Mixer(Channel& channel, int width, const GossipOptions& gossip, int rounds_per_message)
    : channel_(channel),
      width_(width),
      rounds_per_message_(rounds_per_message),
      wire_(gossip.usable_wire(channel.network())),
      packed_bytes_(bytes_of(width, wire_, rounds_per_message)) {
  gossip.validate();
  const auto rows = static_cast<std::size_t>(channel.table_rows());
  for (auto& table : tables_) table.resize(rows * width);
  if (wire_ != Wire::full) packed_.resize(rows * packed_bytes_);
  if (wire_.tells_changes()) heard_.resize(rows * width);
  const double slem = channel.network().slem;
  const bool chebyshev = gossip.chebyshev && channel.network().steady();
  double ratio = slem;
  steps_.push_back({1, 0});
  for (int k = 1; k < gossip.rounds; ++k) {
    if (!chebyshev) {
      steps_.push_back({1, 0});
      continue;
    }
    const double next = next_ratio(slem, ratio);
    steps_.push_back({2 / (2 - slem * ratio), ratio * next});
    ratio = next;
  }
}

void Mixer::mix() {
  result_ = 0;
  for (const Step& s : steps_) {
    send(tables_[result_]);
    step(tables_[result_], tables_[1 - result_], s);
    result_ = 1 - result_;
  }
}

Traffic Mixer::traffic() const {
  const auto messages = static_cast<std::int64_t>(steps_.size());
  return {messages * rounds_per_message_, messages, messages * packed_bytes_};
}

void Mixer::forget() { std::fill(heard_.begin(), heard_.end(), 0.0); }

void Mixer::send(std::span<double> table) {
  if (wire_ == Wire::full) return channel_.exchange(table, width_, rounds_per_message_);
  if (wire_ == Wire::single) return send_singles(table);
  send_changes(table);
}

/// An agent goes on with what it told the others, rounding included: the weights then still add up
/// to the mean of what was sent, whoever hosts whom.
void Mixer::send_singles(std::span<double> table) {
  for (int r = 0; r < channel_.hosted_count(); ++r) {
    pack_singles(&table[static_cast<std::size_t>(r) * width_], width_,
                 &packed_[static_cast<std::size_t>(r) * packed_bytes_]);
  }
  channel_.exchange(std::span<std::byte>(packed_), packed_bytes_, rounds_per_message_);
  for (int r = 0; r < channel_.table_rows(); ++r) {
    unpack_singles(&packed_[static_cast<std::size_t>(r) * packed_bytes_], width_,
                   &table[static_cast<std::size_t>(r) * width_]);
  }
}

/// As iterates settle, their changes and with them the rounding errors vanish (the compression of
/// differences of Koloskova et al., "Decentralized stochastic optimization and gossip algorithms
/// with compressed communication", ICML 2019).
void Mixer::send_changes(std::span<const double> table) {
  for (int r = 0; r < channel_.hosted_count(); ++r) {
    const std::size_t row = static_cast<std::size_t>(r) * width_;
    pack_changes(r, &table[row], &heard_[row],
                 &packed_[static_cast<std::size_t>(r) * packed_bytes_]);
  }
  channel_.exchange(std::span<std::byte>(packed_), packed_bytes_, rounds_per_message_);
  ++told_;
  for (int r = 0; r < channel_.table_rows(); ++r) {
    const std::byte* packed = &packed_[static_cast<std::size_t>(r) * packed_bytes_];
    double* heard = &heard_[static_cast<std::size_t>(r) * width_];
    if (wire_ == Wire::half) {
      add_halves(packed, width_, heard);
    } else {
      FewBits{wire_.bits, rounds_per_message_}.add(packed, width_, heard);
    }
  }
}

void Mixer::pack_changes(int r, const double* row, const double* heard, std::byte* packed) {
  if (wire_ == Wire::half) return pack_halves(row, heard, width_, packed);
  CounterRandom random(channel_.network().faults.seed, RandomUse::rounding,
                       static_cast<std::uint32_t>(channel_.hosted()[r]), told_);
  FewBits{wire_.bits, rounds_per_message_}.pack(row, heard, width_, random, packed);
}

void Mixer::step(std::span<const double> current, std::span<double> previous_then_next,
                 Step s) const {
  const double* sent = wire_.tells_changes() ? heard_.data() : current.data();
  for (int r = 0; r < channel_.hosted_count(); ++r) {
    const auto links = channel_.links(r);
    double* row = previous_then_next.data() + static_cast<std::size_t>(r) * width_;
    switch (width_) {
      case 4:  // X of 4 x 1
        combine<4>(links, sent, s.forward, s.backward, row);
        break;
      case 8:  // X and D of 4 x 1
        combine<8>(links, sent, s.forward, s.backward, row);
        break;
      default:
        combine(links, sent, width_, s.forward, s.backward, row);
    }
    if (!wire_.tells_changes()) continue;
    // What the neighbours have not heard stays with the agent, so that the mean is kept.
    const std::size_t first = static_cast<std::size_t>(r) * width_;
    for (int c = 0; c < width_; ++c) {
      row[c] += s.forward * (current[first + c] - heard_[first + c]);
    }
  }
}

double contraction(double slem, const GossipOptions& gossip) {
  double total = slem;
  double ratio = slem;
  for (int k = 1; k < gossip.rounds; ++k) {
    if (gossip.chebyshev) ratio = next_ratio(slem, ratio);
    total *= ratio;
  }
  return total;
}

double contraction(const Network& network, const GossipOptions& gossip) {
  return contraction(network.round_factor, {gossip.rounds, gossip.chebyshev && network.steady()});
}

}  // namespace roadplane
