#include "roadplane/network/link_faults.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

#include "roadplane/base/counter_random.hpp"
#include "roadplane/network/gossip.hpp"
#include "support/input_error.hpp"

namespace roadplane {
namespace {

constexpr int kAgents = 16;

std::vector<Graph> graphs_of_all_kinds() {
  return {Graph::path(kAgents), Graph::ring(kAgents), Graph::star(kAgents), Graph::grid(kAgents),
          Graph::erdos_renyi(kAgents, 0.5, 3)};
}

const std::vector<LinkFaults> kFaults{{.drop = 0.1},
                                      {.drop = 0.5},
                                      {.drop = 0.2, .outage = 5},
                                      {.drop = 0.95, .outage = 19},
                                      {.sleep = 0.3},
                                      {.drop = 0.2, .outage = 3, .sleep = 0.4}};

/// The mixing matrix that the last exchange used.
Eigen::MatrixXd weights_of_round(const Channel& channel) {
  Eigen::MatrixXd w = Eigen::MatrixXd::Zero(kAgents, kAgents);
  for (int r = 0; r < kAgents; ++r) {
    for (const Channel::Link& link : channel.links(r)) w(r, link.row) = link.weight;
  }
  return w;
}

TEST(LinkFaults, EveryRoundIsDoublyStochasticOnTheLinksThatAreUp) {
  for (const Graph& graph : graphs_of_all_kinds()) {
    for (const LinkFaults& faults : kFaults) {
      const Network network(graph, MixingKind::metropolis, faults);
      LocalChannel channel(network);
      std::vector<double> table(kAgents, 1.0);
      for (int round = 0; round < 60; ++round) {
        channel.exchange(table, 1, 1);
        const Eigen::MatrixXd w = weights_of_round(channel);
        EXPECT_EQ(w, w.transpose());
        EXPECT_GE(w.minCoeff(), 0);
        EXPECT_LT((w.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-14);
        for (int i = 0; i < kAgents; ++i) {
          for (const int j : graph.neighbours(i)) {
            EXPECT_EQ(w(i, j) > 0, !faults.down(i, j, round)) << i << " " << j;
          }
        }
      }
    }
  }
}

TEST(LinkFaults, LinksAreDownForTheShareAskedForAndNeverLongerThanAnOutage) {
  const Graph graph = Graph::complete(kAgents);
  constexpr int kRounds = 3000;
  for (const LinkFaults& faults : kFaults) {
    EXPECT_NEAR(faults.mean_links_down(graph, 0, kRounds),
                (1 - faults.up(1)) * static_cast<double>(graph.edge_count()),
                0.02 * static_cast<double>(graph.edge_count()));
    for (const int other : {1, 7, 15}) {
      int in_a_row = 0;
      for (int round = 0; round < kRounds; ++round) {
        EXPECT_EQ(faults.down(0, other, round), faults.down(other, 0, round));
        in_a_row = faults.down(0, other, round) ? in_a_row + 1 : 0;
        EXPECT_LE(in_a_row, faults.outage);
      }
    }
  }
}

TEST(LinkFaults, AgentsSleepForTheShareAskedForWithAllTheirLinksAndWakeTogether) {
  const LinkFaults faults{.outage = 4, .sleep = 0.3};
  constexpr int kRounds = 5000;
  int asleep = 0;
  for (int round = 0; round < kRounds; ++round) {
    asleep += faults.asleep(3, round) ? 1 : 0;
    for (const int other : {0, 7}) {
      EXPECT_EQ(faults.down(3, other, round),
                faults.asleep(3, round) || faults.asleep(other, round));
    }
    EXPECT_FALSE(round % 5 == 4 && faults.asleep(3, round));
  }
  EXPECT_NEAR(asleep, 0.3 * kRounds, 0.03 * kRounds);
}

TEST(LinkFaults, WhoLeavesIsGoneForGoodAndTheOthersAgreeWithoutIt) {
  const LinkFaults faults{.leaver = 5, .leaves_after = 7};
  for (const Graph& graph :
       {Graph::ring(kAgents), Graph::grid(kAgents), Graph::erdos_renyi(kAgents, 0.5, 3)}) {
    const Network network(graph, MixingKind::metropolis, faults);
    EXPECT_GE(network.diameter, graph.diameter());
    LocalChannel channel(network);
    std::vector<double> table(kAgents);
    for (int round = 0; round < 7; ++round) {
      EXPECT_FALSE(channel.gone(5));
      channel.exchange(table, 1, 1);
      EXPECT_GT(channel.links(5).size(), 1U);
    }
    EXPECT_TRUE(channel.gone(5));
    std::vector<double> rows(kAgents);
    for (int r = 0; r < kAgents; ++r) rows[r] = r * r;
    gossip_average(channel, rows, 1, 1e-8);
    double mean = 0;
    for (int r = 0; r < kAgents; ++r) mean += r == 5 ? 0 : r * r / (kAgents - 1.0);
    for (int r = 0; r < kAgents; ++r) EXPECT_NEAR(rows[r], r == 5 ? 25 : mean, 1e-5);
    EXPECT_EQ(channel.links(5).size(), 1U);
  }
}

TEST(LinkFaults, AHubCannotLeave) {
  EXPECT_EQ(test::input_error_of([] {
              Network(Graph::path(4), MixingKind::metropolis, {.leaver = 2, .leaves_after = 1});
            }),
            "leave: expected an agent without which the others stay connected, found agent 2");
  EXPECT_EQ(test::input_error_of([] {
              Network(Graph::path(4), MixingKind::metropolis, {.leaver = 4, .leaves_after = 1});
            }),
            "leave: expected an agent from 1 to 3, found 4");
}

TEST(LinkFaults, AnotherSeedIsAnotherHistory) {
  int same = 0;
  for (int round = 0; round < 100; ++round) {
    same += LinkFaults{.drop = 0.25, .seed = 1}.down(0, 1, round) ==
                    LinkFaults{.drop = 0.25, .seed = 2}.down(0, 1, round)
                ? 1
                : 0;
  }
  EXPECT_LT(same, 90);
}

/// An agent passes on the largest value that it has heard of: after flood_rounds() everybody has
/// heard of all, from any agent and at any time.
TEST(LinkFaults, AFloodReachesEverybody) {
  for (const Graph& graph : graphs_of_all_kinds()) {
    for (const LinkFaults& faults : kFaults) {
      const Network network(graph, MixingKind::metropolis, faults);
      LocalChannel channel(network);
      for (int source = 0; source < kAgents; ++source) {
        std::vector<double> known(kAgents, 0.0);
        known[source] = 1;
        for (int round = 0; round < network.flood_rounds(); ++round) {
          channel.exchange(known, 1, 1);
          std::vector<double> next(known);
          for (int r = 0; r < kAgents; ++r) {
            for (const auto& link : channel.links(r)) next[r] = std::max(next[r], known[link.row]);
          }
          known = next;
        }
        EXPECT_EQ(*std::min_element(known.begin(), known.end()), 1) << "from " << source;
      }
    }
  }
}

TEST(LinkFaults, GossipKeepsTheMeanAndItsToleranceWhateverFails) {
  constexpr int kWidth = 3;
  for (const Graph& graph : graphs_of_all_kinds()) {
    for (const LinkFaults& faults : kFaults) {
      const Network network(graph, MixingKind::metropolis, faults);
      LocalChannel channel(network);
      CounterRandom random(5, RandomUse::user);
      using Rows = Eigen::Matrix<double, kAgents, kWidth, Eigen::RowMajor>;
      Rows rows = Rows::NullaryExpr([&] { return random.normal(); });
      rows.col(2).setConstant(3.5);  // nothing to agree on
      const Rows before = rows;
      gossip_average(channel, std::span(rows.data(), rows.size()), kWidth, 1e-10);
      const auto spread = [](const Rows& values) {
        return (values.colwise().maxCoeff() - values.colwise().minCoeff()).eval();
      };
      EXPECT_LE(spread(rows)(0), 1e-10 * spread(before)(0));
      EXPECT_LE(spread(rows)(1), 1e-10 * spread(before)(1));
      EXPECT_LT((rows.colwise().mean() - before.colwise().mean()).norm(), 1e-12);
      EXPECT_LT(spread(rows)(2), 1e-11);
    }
  }
}

/// The mean over many rounds of the expected square must not exceed the bound that gossip uses.
TEST(LinkFaults, TheContractionIsABoundInTheMeanSquare) {
  for (const Graph& graph : graphs_of_all_kinds()) {
    for (const LinkFaults& faults :
         {LinkFaults{.drop = 0.1}, LinkFaults{.drop = 0.3}, LinkFaults{.drop = 0.5},
          LinkFaults{.sleep = 0.3}, LinkFaults{.drop = 0.2, .outage = 3, .sleep = 0.4}}) {
      const Network network(graph, MixingKind::metropolis, faults);
      LocalChannel channel(network);
      std::vector<double> table(kAgents, 1.0);
      Eigen::MatrixXd square = Eigen::MatrixXd::Zero(kAgents, kAgents);
      constexpr int kRounds = 4000;
      for (int round = 0; round < kRounds; ++round) {
        channel.exchange(table, 1, 1);
        const Eigen::MatrixXd w = weights_of_round(channel);
        square += w * w / kRounds;
      }
      square.array() -= 1.0 / kAgents;  // disagreement only
      const double largest = square.selfadjointView<Eigen::Lower>().operatorNorm();
      EXPECT_LE(std::sqrt(largest), network.round_factor + 0.01);
      EXPECT_GE(std::sqrt(largest), network.slem - 0.01);
    }
  }
}

TEST(LinkFaults, ChebyshevMixingGivesWayToPlainRounds) {
  const Network network(Graph::ring(kAgents), MixingKind::metropolis, {.drop = 0.2});
  LocalChannel one(network);
  LocalChannel two(network);
  Mixer plain(one, 1, {4, false});
  Mixer chebyshev(two, 1, {4, true});
  for (int r = 0; r < kAgents; ++r) plain.outgoing(r)[0] = chebyshev.outgoing(r)[0] = r * r;
  plain.mix();
  chebyshev.mix();
  for (int r = 0; r < kAgents; ++r) EXPECT_EQ(plain.mixed(r)[0], chebyshev.mixed(r)[0]);
  EXPECT_EQ(contraction(network, {4, true}), contraction(network, {4, false}));
}

TEST(LinkFaults, LatencyIsWaitedForInEveryRoundOfExchangesAndFloods) {
  const Network network(Graph::path(3), MixingKind::metropolis, {.latency_us = 2000});
  LocalChannel channel(network);
  std::vector<double> table(3);
  const auto begin = std::chrono::steady_clock::now();
  channel.exchange(table, 1, 1);
  EXPECT_EQ(channel.flood_max(7), 7);  // two rounds
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  EXPECT_GE(elapsed.count(), 0.006);
  EXPECT_EQ(channel.traffic().rounds, 3);
}

TEST(LinkFaults, AreReadFromText) {
  const LinkFaults faults = LinkFaults::parse("latency=200us,drop=0.25,outage=5", 9);
  EXPECT_EQ(faults.drop, 0.25);
  EXPECT_EQ(faults.outage, 5);
  EXPECT_EQ(faults.latency_us, 200);
  EXPECT_EQ(faults.seed, 9U);
  EXPECT_FALSE(LinkFaults::parse("", 1).any());
  const LinkFaults agents = LinkFaults::parse("leave=3@200,sleep=0.3", 9);
  EXPECT_EQ(agents.sleep, 0.3);
  EXPECT_EQ(agents.leaver, 3);
  EXPECT_EQ(agents.leaves_after, 200);
}

TEST(LinkFaults, BadTextIsOneLine) {
  const auto error = [](const char* text) {
    return test::input_error_of([&] { LinkFaults::parse(text, 1); });
  };
  EXPECT_EQ(error("drop=0.6"),
            "drop: expected a share from 0 to outage / (outage + 1) = 0.5, since after an "
            "outage a link works for a round, found 0.6");
  EXPECT_EQ(error("drop=0.1,,"),
            "links: expected drop=SHARE, sleep=SHARE, outage=ROUNDS, leave=AGENT@ROUND or "
            "latency=TIMEus (or ms), found \"\"");
  EXPECT_EQ(error("latency=5s"),
            "links: expected drop=SHARE, sleep=SHARE, outage=ROUNDS, leave=AGENT@ROUND or "
            "latency=TIMEus (or ms), found \"latency=5s\"");
  EXPECT_EQ(LinkFaults::parse("latency=5ms", 1).latency_us, 5000);
  EXPECT_EQ(error("latency=1001ms"), "latency: expected 0us to 1000000us, found 1001000us");
  EXPECT_EQ(error("outage=0"), "outage: expected 1 to 1000 rounds, found 0");
  EXPECT_EQ(error("latency=-1us"), "latency: expected 0us to 1000000us, found -1us");
  for (const char* bad : {"drop",
                          "drop=",
                          "drop=x",
                          "drop=nan",
                          "drop=-0.1",
                          "loss=0.1",
                          "=",
                          "outage=1.5",
                          "outage=99999999999",
                          "latency=10",
                          "drop=0.1us",
                          "sleep=0.6",
                          "sleep=x",
                          "leave=3",
                          "leave=0@5",
                          "leave=-1@5",
                          "leave=1@5,leave=2@9",
                          "drop=0.1,drop=0.2",
                          "leave=@5",
                          "leave=3@",
                          "leave=3@-1"}) {
    EXPECT_NE(error(bad), "") << bad;
  }
}

}  // namespace
}  // namespace roadplane
