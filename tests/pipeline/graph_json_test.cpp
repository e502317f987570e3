#include "graph_json.hpp"

#include <gtest/gtest.h>

#include <string>

#include "roadplane/base/input_error.hpp"

namespace roadplane {
namespace {

TEST(GraphJson, ReadsAnEdgeList) {
  const auto [graph, weights] =
      parse_graph_json(R"({"agents": 4, "edges": [[0, 1], [1, 2], [3, 2]]})", "net.json");
  EXPECT_FALSE(weights);
  EXPECT_EQ(graph.size(), 4);
  EXPECT_TRUE(graph.linked(2, 3));
  EXPECT_EQ(graph.diameter(), 3);
}

TEST(GraphJson, ReadsItsOwnWeights) {
  const auto [graph, weights] = parse_graph_json(
      R"({"agents": 3, "edges": [[0, 1], [1, 2]], "weights": [0.25, 0.5]})", "net.json");
  ASSERT_TRUE(weights);
  Eigen::Matrix3d expected;
  expected << 0.75, 0.25, 0, 0.25, 0.25, 0.5, 0, 0.5, 0.5;
  EXPECT_TRUE(weights->dense().isApprox(expected));
}

std::string refusal(const char* text) {
  try {
    parse_graph_json(text, "net.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

// Their matrix would take 800 MB for a file of 200 kB.
TEST(GraphJson, WeightsOfVeryManyAgentsAreRefused) {
  constexpr int kAgents = 10'000;
  std::string edges = "[0, 1]";
  std::string weights = "0.25";
  for (int k = 2; k < kAgents; ++k) {
    edges += ", [" + std::to_string(k - 1) + ", " + std::to_string(k) + "]";
    weights += ", 0.25";
  }
  const std::string text =
      R"({"agents": 10000, "edges": [)" + edges + R"(], "weights": [)" + weights;
  EXPECT_EQ(refusal((text + "]}").c_str()),
            "net.json: weights: expected at most 2000 agents, found 10000");
}

TEST(GraphJson, BadInputNamesTheFileAndTheFault) {
  const std::string form = R"(net.json: expected {"agents": N, "edges": [[0, 1], ...]}, found )";
  EXPECT_EQ(refusal(""), form + "text that is not JSON");
  EXPECT_EQ(refusal("{\"agents\": 3,"), form + "text that is not JSON");
  EXPECT_EQ(refusal("[]"), form + "JSON without these two entries");
  EXPECT_EQ(refusal(R"({"agents": 3})"), form + "JSON without these two entries");
  EXPECT_EQ(refusal(R"({"agents": "3", "edges": []})"), form + "JSON without these two entries");
  EXPECT_EQ(refusal(R"({"agents": 0, "edges": []})"),
            "net.json: expected 1 to 10000 agents, found 0");
  EXPECT_EQ(refusal(R"({"agents": 99999999999, "edges": []})"),
            "net.json: expected 1 to 10000 agents, found 99999999999");
  EXPECT_EQ(refusal(R"({"agents": 2, "edges": [[0, 1]], "wieghts": [1]})"),
            "net.json: expected the keys agents, edges and weights, found \"wieghts\"");
  EXPECT_EQ(refusal(R"({"agents": 2, "edges": [[0, 1]], "weights": [0.5, 0.5]})"),
            "net.json: expected as many weights as edges (1), found 2");
  EXPECT_EQ(refusal(R"({"agents": 2, "edges": [[0, 1]], "weights": ["half"]})"),
            R"(net.json: expected weights as numbers above 0, found "half")");
  EXPECT_EQ(refusal(R"({"agents": 2, "edges": [[0, 1]], "weights": [1.5]})"),
            "net.json: mixing matrix: expected no negative weight, found W(0,0) = -0.500000");
  EXPECT_EQ(refusal(R"({"agents": 2, "edges": [[0]]})"),
            "net.json: expected edges as pairs of agent numbers, found [0]");
  EXPECT_EQ(refusal(R"({"agents": 2, "edges": [[0, "b"]]})"),
            R"(net.json: expected edges as pairs of agent numbers, found [0,"b"])");
  EXPECT_EQ(refusal(R"({"agents": 2, "edges": [[0, 5]]})"),
            "net.json: expected agents 0 to 1, found edge [0,5]");
  EXPECT_EQ(refusal(R"({"agents": 2, "edges": [[0, 4294967297]]})"),
            "net.json: expected agents 0 to 1, found edge [0,4294967297]");
  EXPECT_EQ(refusal(R"({"agents": 2, "edges": [[1, 1]]})"),
            "net.json: graph: expected no self-loop, found edge 1-1");
  EXPECT_EQ(refusal(R"({"agents": 3, "edges": [[0, 1]]})"),
            "net.json: graph: expected a connected graph, found no way from agent 0 to agent 2");
}

}  // namespace
}  // namespace roadplane
