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

/// Rows begin on a multiple of so many numbers where they do not travel as they are.
std::size_t stride_of(int width, Wire wire) {
  constexpr std::size_t kTogether = 8;
  const auto numbers = static_cast<std::size_t>(width);
  return wire == Wire::full ? numbers : (numbers + kTogether - 1) / kTogether * kTogether;
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
      stride_(stride_of(width, wire_)),
      packed_bytes_(bytes_of(width, wire_, rounds_per_message)) {
  gossip.validate();
  const auto rows = static_cast<std::size_t>(channel.table_rows());
  for (auto& table : tables_) table.resize(rows * stride_);
  if (wire_ != Wire::full) packed_.resize(rows * packed_bytes_);
  if (wire_.tells_changes()) heard_.resize(rows * stride_);
  const double slem = channel.network().slem;
  const bool chebyshev = gossip.chebyshev && channel.network().steady();
  double ratio = slem;
  steps_.reserve(static_cast<std::size_t>(gossip.rounds));
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
  for (const ChebyshevStep& s : steps_) {
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
    pack_singles(&table[begin(r)], width_, packed_row(r));
  }
  channel_.exchange(std::span<std::byte>(packed_), packed_bytes_, rounds_per_message_);
  for (int r = 0; r < channel_.table_rows(); ++r) {
    unpack_singles(packed_row(r), width_, &table[begin(r)]);
  }
}

/// As iterates settle, their changes and with them the rounding errors vanish (the compression of
/// differences of Koloskova et al., "Decentralized stochastic optimization and gossip algorithms
/// with compressed communication", ICML 2019).
void Mixer::send_changes(std::span<const double> table) {
  if (wire_ == Wire::half) {
    kernels_.pack_halves(layout(channel_.hosted_count()), table.data(), heard_.data(),
                         packed_.data());
  } else {
    pack_few_bits(table);
  }
  channel_.exchange(std::span<std::byte>(packed_), packed_bytes_, rounds_per_message_);
  if (wire_ == Wire::half) {
    kernels_.add_halves(layout(channel_.table_rows()), packed_.data(), heard_.data());
  } else {
    add_few_bits();
  }
}

RowLayout Mixer::layout(int rows) const {
  return {static_cast<std::size_t>(rows), static_cast<std::size_t>(width_), stride_,
          static_cast<std::size_t>(packed_bytes_)};
}

void Mixer::pack_few_bits(std::span<const double> table) {
  for (int r = 0; r < channel_.hosted_count(); ++r) {
    CounterRandom random(channel_.network().faults.seed, RandomUse::rounding,
                         static_cast<std::uint32_t>(channel_.hosted()[r]), told_);
    FewBits{wire_.bits, rounds_per_message_}.pack(&table[begin(r)], &heard_[begin(r)], width_,
                                                  random, packed_row(r));
  }
  ++told_;
}

void Mixer::add_few_bits() {
  for (int r = 0; r < channel_.table_rows(); ++r) {
    FewBits{wire_.bits, rounds_per_message_}.add(packed_row(r), width_, &heard_[begin(r)]);
  }
}

void Mixer::step(std::span<const double> current, std::span<double> previous_then_next,
                 const ChebyshevStep& s) const {
  // Where changes are told, an agent keeps what its neighbours have not heard: so the mean stays.
  const bool keeps = wire_.tells_changes();
  const double* sent = keeps ? heard_.data() : current.data();
  for (int r = 0; r < channel_.hosted_count(); ++r) {
    const auto links = channel_.links(r);
    const std::size_t first = begin(r);
    kernels_.combine(links.data(), links.size(), sent, stride_, stride_, s,
                     keeps ? &current[first] : nullptr, sent + first, &previous_then_next[first]);
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
