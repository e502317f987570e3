#include "roadplane/network/mixer.hpp"

#include <cmath>
#include <cstring>
#include <string>

#include "roadplane/base/field_error.hpp"

namespace roadplane {
namespace {

/// ratio_k = T_{k-1}(1/sigma) / T_k(1/sigma); a recursion that also holds for sigma = 0.
double next_ratio(double slem, double ratio) { return slem / (2 - slem * ratio); }

/// Doubles that hold that many floats.
int half(int width) { return (width + 1) / 2; }

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

void GossipOptions::validate() const {
  require(rounds >= 1, "gossip.rounds", "at least 1", rounds);
}

Mixer::Mixer(Channel& channel, int width, const GossipOptions& gossip, int rounds_per_message)
    : channel_(channel), width_(width), rounds_per_message_(rounds_per_message) {
  gossip.validate();
  for (auto& table : tables_) table.resize(static_cast<std::size_t>(channel.table_rows()) * width);
  if (gossip.single) packed_.resize(static_cast<std::size_t>(channel.table_rows()) * half(width));
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
  const std::int64_t numbers = packed_.empty() ? width_ : half(width_);
  return {messages * rounds_per_message_, messages,
          messages * numbers * static_cast<std::int64_t>(sizeof(double))};
}

/// In single precision an agent goes on with what it told the others, rounding included: the
/// weights then still add up to the mean of what was sent, whoever hosts whom.
void Mixer::send(std::span<double> table) {
  if (packed_.empty()) {
    channel_.exchange(table, width_, rounds_per_message_);
    return;
  }
  const int packed_width = half(width_);
  for (int r = 0; r < channel_.hosted_count(); ++r) {
    const double* row = table.data() + static_cast<std::size_t>(r) * width_;
    double* packed = packed_.data() + static_cast<std::size_t>(r) * packed_width;
    for (int c = 0; c < width_; c += 2) {
      const float pair[2] = {static_cast<float>(row[c]),
                             c + 1 < width_ ? static_cast<float>(row[c + 1]) : 0};
      std::memcpy(packed++, pair, sizeof(pair));
    }
  }
  channel_.exchange(packed_, packed_width, rounds_per_message_);
  for (int r = 0; r < channel_.table_rows(); ++r) {
    double* row = table.data() + static_cast<std::size_t>(r) * width_;
    const double* packed = packed_.data() + static_cast<std::size_t>(r) * packed_width;
    for (int c = 0; c < width_; c += 2) {
      float pair[2];
      std::memcpy(pair, packed++, sizeof(pair));
      row[c] = pair[0];
      if (c + 1 < width_) row[c + 1] = pair[1];
    }
  }
}

void Mixer::step(std::span<const double> current, std::span<double> previous_then_next,
                 Step s) const {
  for (int r = 0; r < channel_.hosted_count(); ++r) {
    const auto links = channel_.links(r);
    double* row = previous_then_next.data() + static_cast<std::size_t>(r) * width_;
    switch (width_) {
      case 4:  // X of 4 x 1
        combine<4>(links, current.data(), s.forward, s.backward, row);
        break;
      case 8:  // X and D of 4 x 1
        combine<8>(links, current.data(), s.forward, s.backward, row);
        break;
      default:
        combine(links, current.data(), width_, s.forward, s.backward, row);
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
