#include "roadplane/network/graph.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "roadplane/base/counter_random.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane {
namespace {

void require_agents(const char* graph, int agents) {
  if (agents < 1) throw InputError(graph, "at least 1 agent", std::to_string(agents));
}

std::string name_of(const Graph::Edge& edge) {
  return "edge " + std::to_string(edge.first) + "-" + std::to_string(edge.second);
}

std::vector<std::vector<int>> adjacency(int agents, std::span<const Graph::Edge> edges) {
  std::vector<std::vector<int>> lists(agents);
  for (const Graph::Edge& edge : edges) {
    const auto& [a, b] = edge;
    if (a < 0 || b < 0 || a >= agents || b >= agents) {
      throw InputError("graph", "agents 0 to " + std::to_string(agents - 1), name_of(edge));
    }
    if (a == b) throw InputError("graph", "no self-loop", name_of(edge));
    lists[a].push_back(b);
    lists[b].push_back(a);
  }
  for (auto& list : lists) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return lists;
}

}  // namespace

Graph::Graph(int agents, std::span<const Edge> edges) {
  require_agents("graph", agents);
  begins_.push_back(0);
  for (const auto& list : adjacency(agents, edges)) {
    neighbours_.insert(neighbours_.end(), list.begin(), list.end());
    begins_.push_back(static_cast<int>(neighbours_.size()));
  }
  const std::vector<int> distances = distances_from(0);
  const auto cut_off = std::find(distances.begin(), distances.end(), -1);
  if (cut_off != distances.end()) {
    throw InputError("graph", "a connected graph",
                     "no way from agent 0 to agent " + std::to_string(cut_off - distances.begin()));
  }
}

Graph Graph::path(int agents) {
  require_agents("path", agents);
  std::vector<Edge> edges;
  for (int i = 0; i + 1 < agents; ++i) edges.emplace_back(i, i + 1);
  return {agents, edges};
}

Graph Graph::ring(int agents) {
  require_agents("ring", agents);
  std::vector<Edge> edges;
  for (int i = 0; i + 1 < agents; ++i) edges.emplace_back(i, i + 1);
  if (agents > 2) edges.emplace_back(agents - 1, 0);
  return {agents, edges};
}

Graph Graph::star(int agents) {
  require_agents("star", agents);
  std::vector<Edge> edges;
  for (int i = 1; i < agents; ++i) edges.emplace_back(0, i);
  return {agents, edges};
}

Graph Graph::complete(int agents) {
  require_agents("complete", agents);
  std::vector<Edge> edges;
  for (int i = 0; i < agents; ++i) {
    for (int j = i + 1; j < agents; ++j) edges.emplace_back(i, j);
  }
  return {agents, edges};
}

Graph Graph::grid(int rows, int columns) {
  require_agents("grid", std::min(rows, columns));
  std::vector<Edge> edges;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      const int i = r * columns + c;
      if (c + 1 < columns) edges.emplace_back(i, i + 1);
      if (r + 1 < rows) edges.emplace_back(i, i + columns);
    }
  }
  return {rows * columns, edges};
}

Graph Graph::grid(int agents) {
  require_agents("grid", agents);
  int rows = static_cast<int>(std::sqrt(static_cast<double>(agents)));
  while (agents % rows != 0) --rows;
  return grid(rows, agents / rows);
}

Graph Graph::erdos_renyi(int agents, double probability, std::uint64_t seed) {
  require_agents("erdos-renyi", agents);
  if (!(probability > 0 && probability <= 1)) {
    throw InputError("erdos-renyi", "a probability in (0, 1]", in_digits(probability));
  }
  const double pairs = 0.5 * agents * (agents - 1.0);
  const int most_draws = static_cast<int>(std::clamp(1e9 / std::max(1.0, pairs), 10.0, 1e4));
  for (int draw = 0; draw < most_draws; ++draw) {
    CounterRandom random(seed, RandomUse::graph, 0, static_cast<std::uint64_t>(draw));
    std::vector<Edge> edges;
    for (int i = 0; i < agents; ++i) {
      for (int j = i + 1; j < agents; ++j) {
        if (random.uniform() < probability) edges.emplace_back(i, j);
      }
    }
    try {
      Graph graph(agents, edges);
      graph.redraws_ = draw;
      return graph;
    } catch (const InputError&) {  // not connected: draw again
    }
  }
  throw InputError("erdos-renyi",
                   "a probability that connects " + std::to_string(agents) + " agents within " +
                       std::to_string(most_draws) + " draws",
                   std::to_string(probability));
}

int Graph::max_degree() const {
  int most = 0;
  for (int i = 0; i < size(); ++i) most = std::max(most, degree(i));
  return most;
}

bool Graph::linked(int a, int b) const {
  const auto list = neighbours(a);
  return std::binary_search(list.begin(), list.end(), b);
}

std::vector<int> Graph::distances_from(int agent) const {
  std::vector<int> distance(size(), -1);
  std::vector<int> queue{agent};
  distance[agent] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const int next : neighbours(queue[head])) {
      if (distance[next] >= 0) continue;
      distance[next] = distance[queue[head]] + 1;
      queue.push_back(next);
    }
  }
  return distance;
}

int Graph::diameter() const {
  int longest = 0;
  for (int i = 0; i < size(); ++i) {
    const std::vector<int> distance = distances_from(i);
    longest = std::max(longest, *std::max_element(distance.begin(), distance.end()));
  }
  return longest;
}

}  // namespace roadplane
