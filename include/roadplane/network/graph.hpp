#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace roadplane {

/// Who talks to whom: a connected, undirected graph of agents 0..size-1 without self-loops.
class Graph {
 public:
  using Edge = std::pair<int, int>;

  /// Throws InputError if the edges have a self-loop or an unknown agent, or do not connect all.
  /// An edge may be named more than once, in either direction.
  Graph(int agents, std::span<const Edge> edges);

  static Graph path(int agents);
  static Graph ring(int agents);
  static Graph star(int agents);  ///< agent 0 is the hub
  static Graph complete(int agents);
  static Graph grid(int rows, int columns);
  static Graph grid(int agents);  ///< the most square grid of that many agents
  /// Each pair is linked with `probability`; drawn anew until connected, see redraws().
  static Graph erdos_renyi(int agents, double probability, std::uint64_t seed);

  int size() const { return static_cast<int>(begins_.size()) - 1; }
  int degree(int agent) const { return begins_[agent + 1] - begins_[agent]; }
  int max_degree() const;
  std::span<const int> neighbours(int agent) const {  ///< ascending
    return std::span(neighbours_).subspan(begins_[agent], degree(agent));
  }
  bool linked(int a, int b) const;
  std::size_t edge_count() const { return neighbours_.size() / 2; }
  int diameter() const;                     ///< the most links that a message has to pass
  int redraws() const { return redraws_; }  ///< disconnected draws that erdos_renyi threw away

 private:
  std::vector<int> distances_from(int agent) const;  ///< -1 where there is no way

  std::vector<int> neighbours_;
  std::vector<int> begins_;
  int redraws_ = 0;
};

}  // namespace roadplane
