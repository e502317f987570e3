#include "roadplane/network/channel.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <thread>

namespace roadplane {

std::int64_t Traffic::messages(const Graph& graph) const {
  return messages_per_link * 2 * static_cast<std::int64_t>(graph.edge_count());
}

double Traffic::bytes_per_agent(const Graph& graph) const {
  return static_cast<double>(bytes_per_link) * 2 * static_cast<double>(graph.edge_count()) /
         graph.size();
}

Traffic operator+(const Traffic& a, const Traffic& b) {
  return {a.rounds + b.rounds, a.messages_per_link + b.messages_per_link,
          a.bytes_per_link + b.bytes_per_link};
}

Traffic operator-(const Traffic& a, const Traffic& b) {
  return {a.rounds - b.rounds, a.messages_per_link - b.messages_per_link,
          a.bytes_per_link - b.bytes_per_link};
}

namespace {

using Clock = std::chrono::steady_clock;

Clock::time_point after(std::int64_t microseconds) {
  return Clock::now() + std::chrono::microseconds(microseconds);
}

}  // namespace

Channel::Channel(const Network& network, std::vector<int> hosted)
    : network_(network), hosted_(std::move(hosted)) {}

void Channel::lay_out(std::span<const int> remote) {
  std::vector<int> row_of(network_.agents(), -1);
  for (const int agent : hosted_) row_of[agent] = table_rows_++;
  for (const int agent : remote) row_of[agent] = table_rows_++;
  links_.clear();
  links_.reserve(hosted_.size());
  for (const int agent : hosted_) {
    auto& links = links_.emplace_back();
    links.reserve(network_.mixing.row(agent).size());
    for (const auto& [neighbour, weight] : network_.mixing.row(agent)) {
      links.push_back({row_of[neighbour], weight});
    }
  }
  if (network_.faults.drops()) all_links_ = links_;
}

void Channel::exchange(std::span<double> table, int width, int rounds) {
  exchange(std::as_writable_bytes(table), width * static_cast<int>(sizeof(double)), rounds);
}

void Channel::exchange(std::span<std::byte> table, int row_bytes, int rounds) {
  if (network_.faults.any()) {
    exchange_with_faults(table, row_bytes);
  } else {
    fetch_neighbours(table, row_bytes);
  }
  traffic_.rounds += rounds;
  traffic_.messages_per_link += 1;
  traffic_.bytes_per_link += row_bytes;
}

void Channel::exchange_with_faults(std::span<std::byte> table, int row_bytes) {
  const auto arrival = after(network_.faults.latency_us);
  if (network_.faults.drops()) drop_links(traffic_.messages_per_link);
  fetch_neighbours(table, row_bytes);
  if (network_.faults.latency_us > 0) std::this_thread::sleep_until(arrival);
}

void Channel::drop_links(std::int64_t round) {
  for (int r = 0; r < hosted_count(); ++r) {
    const int agent = hosted_[r];
    const auto weights = network_.mixing.row(agent);  // in the order of all_links_
    auto& up = links_[r];
    up.clear();
    std::size_t self = 0;
    double lost = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const int other = weights[k].agent;
      if (other == agent) self = up.size();
      if (other != agent && network_.faults.down(agent, other, round)) {
        lost += weights[k].value;
      } else {
        up.push_back(all_links_[r][k]);
      }
    }
    up[self].weight += lost;
  }
}

void Channel::pass_rounds(int width, int count) {
  if (network_.faults.latency_us > 0) {
    std::this_thread::sleep_until(after(std::int64_t{count} * network_.faults.latency_us));
  }
  traffic_.rounds += count;
  traffic_.messages_per_link += count;
  traffic_.bytes_per_link += std::int64_t{count} * width * static_cast<int>(sizeof(double));
}

double Channel::flood_max(double hosted_largest) {
  flood_max(std::span(&hosted_largest, 1));
  return hosted_largest;
}

namespace {

template <class Number>
void replace_nan(std::span<Number> values) {
  for (Number& value : values) {
    if (std::isnan(value)) value = std::numeric_limits<Number>::infinity();
  }
}

}  // namespace

void Channel::flood_max(std::span<double> hosted_largest) {
  replace_nan(hosted_largest);
  flood(hosted_largest, network_.flood_rounds());
}

void Channel::flood_max(std::span<float> hosted_largest) {
  replace_nan(hosted_largest);
  flood(hosted_largest, network_.flood_rounds());
}

namespace {

std::vector<int> everybody(int agents) {
  std::vector<int> all(agents);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

LocalChannel::LocalChannel(const Network& network) : Channel(network, everybody(network.agents())) {
  lay_out({});
}

void LocalChannel::observe(std::span<const double> hosted_rows, int,
                           std::span<double> all_rows) const {
  std::copy(hosted_rows.begin(), hosted_rows.end(), all_rows.begin());
}

}  // namespace roadplane
