#include "roadplane/network/graph.hpp"

#include <gtest/gtest.h>

#include <string>

#include "roadplane/base/input_error.hpp"

namespace roadplane {
namespace {

std::string message_of(const auto& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Graph, KnownShapes) {
  EXPECT_EQ(Graph::path(5).edge_count(), 4U);
  EXPECT_EQ(Graph::path(5).diameter(), 4);
  EXPECT_EQ(Graph::ring(16).edge_count(), 16U);
  EXPECT_EQ(Graph::ring(16).diameter(), 8);
  EXPECT_EQ(Graph::star(16).edge_count(), 15U);
  EXPECT_EQ(Graph::star(16).diameter(), 2);
  EXPECT_EQ(Graph::star(16).max_degree(), 15);
  EXPECT_EQ(Graph::complete(6).edge_count(), 15U);
  EXPECT_EQ(Graph::complete(6).diameter(), 1);
  EXPECT_EQ(Graph::grid(3, 4).edge_count(), 17U);
  EXPECT_EQ(Graph::grid(3, 4).diameter(), 5);
  EXPECT_EQ(Graph::grid(16).diameter(), 6);  // 4 x 4
  EXPECT_EQ(Graph::grid(7).diameter(), 6);   // a prime number is a path
}

TEST(Graph, OneAndTwoAgents) {
  for (const Graph& g : {Graph::path(1), Graph::ring(1), Graph::star(1), Graph::complete(1),
                         Graph::grid(1), Graph::erdos_renyi(1, 0.5, 1)}) {
    EXPECT_EQ(g.size(), 1);
    EXPECT_EQ(g.diameter(), 0);
  }
  EXPECT_EQ(Graph::ring(2).edge_count(), 1U);
}

TEST(Graph, LinksGoBothWays) {
  const Graph g = Graph::erdos_renyi(20, 0.3, 5);
  for (int i = 0; i < 20; ++i) {
    EXPECT_FALSE(g.linked(i, i));
    for (const int j : g.neighbours(i)) EXPECT_TRUE(g.linked(j, i));
  }
}

TEST(Graph, ErdosRenyiIsSeededConnectedAndSaysHowOftenItWasRedrawn) {
  const Graph a = Graph::erdos_renyi(16, 0.5, 3);
  const Graph b = Graph::erdos_renyi(16, 0.5, 3);
  for (int i = 0; i < 16; ++i) {
    ASSERT_TRUE(std::equal(a.neighbours(i).begin(), a.neighbours(i).end(), b.neighbours(i).begin(),
                           b.neighbours(i).end()));
  }
  EXPECT_EQ(a.redraws(), 0);
  // Sparse enough that most draws fall apart.
  int redraws = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    redraws += Graph::erdos_renyi(16, 0.12, seed).redraws();
  }
  EXPECT_GT(redraws, 20);
}

TEST(Graph, ErdosRenyiHasAboutTheExpectedNumberOfLinks) {
  double links = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    links += static_cast<double>(Graph::erdos_renyi(16, 0.5, seed).edge_count()) / 50;
  }
  EXPECT_NEAR(links, 60, 3);  // 120 pairs; the mean of 50 draws has a deviation of 0.8
}

TEST(Graph, BadInputIsRefusedWithAClearMessage) {
  const auto graph = [](int agents, std::vector<Graph::Edge> edges) {
    return message_of([&] { Graph(agents, edges); });
  };
  EXPECT_EQ(graph(4, {{0, 1}, {2, 3}}),
            "graph: expected a connected graph, found no way from agent 0 to agent 2");
  EXPECT_EQ(graph(2, {{0, 0}, {0, 1}}), "graph: expected no self-loop, found edge 0-0");
  EXPECT_EQ(graph(2, {{0, 2}}), "graph: expected agents 0 to 1, found edge 0-2");
  EXPECT_EQ(graph(2, {{-1, 1}}), "graph: expected agents 0 to 1, found edge -1-1");
  EXPECT_EQ(graph(0, {}), "graph: expected at least 1 agent, found 0");
  EXPECT_EQ(message_of([] { Graph::ring(-3); }), "ring: expected at least 1 agent, found -3");
  EXPECT_THROW(Graph::erdos_renyi(16, 0, 1), InputError);
  EXPECT_THROW(Graph::erdos_renyi(16, 1.5, 1), InputError);
  EXPECT_THROW(Graph::erdos_renyi(16, 1e-6, 1), InputError);  // never connected: says so and ends
}

TEST(Graph, AnEdgeMayBeNamedTwice) {
  const std::vector<Graph::Edge> edges{{0, 1}, {1, 0}, {1, 2}};
  EXPECT_EQ(Graph(3, edges).edge_count(), 2U);
}

}  // namespace
}  // namespace roadplane
