#include "roadplane/network/channel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace roadplane {

std::int64_t Traffic::messages(const Graph& graph) const {
  return messages_per_link * 2 * static_cast<std::int64_t>(graph.edge_count());
}

double Traffic::bytes_per_agent(const Graph& graph) const {
  return static_cast<double>(bytes_per_link) * 2 * static_cast<double>(graph.edge_count()) /
         graph.size();
}

std::int64_t Traffic::bytes_busiest(const Graph& graph) const {
  return bytes_per_link * graph.max_degree();
}

Traffic operator+(const Traffic& a, const Traffic& b) {
  return {a.rounds + b.rounds, a.messages_per_link + b.messages_per_link,
          a.bytes_per_link + b.bytes_per_link};
}

Traffic operator-(const Traffic& a, const Traffic& b) {
  return {a.rounds - b.rounds, a.messages_per_link - b.messages_per_link,
          a.bytes_per_link - b.bytes_per_link};
}

Channel::Channel(const Network& network, std::vector<int> hosted)
    : network_(network), hosted_(std::move(hosted)) {}

void Channel::lay_out(std::span<const int> remote) {
  std::vector<int> row_of(network_.agents(), -1);
  for (const int agent : hosted_) row_of[agent] = table_rows_++;
  for (const int agent : remote) row_of[agent] = table_rows_++;
  links_.clear();
  for (const int agent : hosted_) {
    auto& links = links_.emplace_back();
    for (const auto& [neighbour, weight] : network_.mixing.row(agent)) {
      links.push_back({row_of[neighbour], weight});
    }
  }
}

void Channel::exchange(std::span<double> table, int width, int rounds) {
  fetch_neighbours(table, width);
  traffic_.rounds += rounds;
  traffic_.messages_per_link += 1;
  traffic_.bytes_per_link += width * static_cast<std::int64_t>(sizeof(double));
}

double Channel::flood_max(double hosted_largest) {
  if (std::isnan(hosted_largest)) hosted_largest = std::numeric_limits<double>::infinity();
  traffic_.rounds += network_.diameter;
  traffic_.messages_per_link += network_.diameter;
  traffic_.bytes_per_link += network_.diameter * static_cast<std::int64_t>(sizeof(double));
  return largest_of_all(hosted_largest);
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
