// Any connected network.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "properties/generators.hpp"
#include "roadplane/base/number_table.hpp"
#include "roadplane/network/gossip.hpp"
#include "roadplane/network/network.hpp"

namespace roadplane {
namespace {

constexpr int kMostAgents = 24;

std::vector<double> rows_of(int agents, int width) {
  return *rc::gen::container<std::vector<double>>(static_cast<std::size_t>(agents * width),
                                                  test::unit());
}

RC_GTEST_PROP(NetworkProperty, WeightsAverageAndARoundShrinksDisagreement, ()) {
  const Graph graph = *test::graph(kMostAgents);
  const auto kind = *rc::gen::element(MixingKind::metropolis, MixingKind::lazy_metropolis,
                                      MixingKind::max_degree);
  const MixingMatrix mixing(graph, kind);
  const Eigen::MatrixXd w = mixing.dense();
  RC_ASSERT((w - w.transpose()).norm() < 1e-14);
  RC_ASSERT((w.rowwise().sum() - Eigen::VectorXd::Ones(w.rows())).norm() < 1e-13);
  RC_ASSERT(w.minCoeff() >= 0);
  RC_ASSERT(graph.size() == 1 || (mixing.slem() >= 0 && mixing.slem() < 1));
}

RC_GTEST_PROP(NetworkProperty, GossipEndsNearTheMeanAndKeepsIt, ()) {
  const Network network(*test::graph(kMostAgents));
  const int width = *rc::gen::inRange(1, 9);
  const int agents = network.agents();
  std::vector<double> rows = rows_of(agents, width);
  const Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> all(
      rows.data(), agents, width);
  const Eigen::RowVectorXd mean = all.colwise().mean();
  const double before = (all.rowwise() - mean).norm();
  LocalChannel channel(network);
  constexpr double kTolerance = 1e-3;
  gossip_average(channel, rows, width, kTolerance);
  RC_ASSERT((all.colwise().mean() - mean).norm() < 1e-12);
  RC_ASSERT((all.rowwise() - mean).norm() <= kTolerance * before + 1e-12);
  // What was sent is what was counted.
  const Traffic traffic = channel.traffic();
  RC_ASSERT(traffic.bytes_per_link == traffic.messages_per_link * width * 8);
}

RC_GTEST_PROP(NetworkProperty, AFloodTellsEverybodyTheLargestWhoeverSaidIt, ()) {
  LinkFaults faults;
  faults.drop = *rc::gen::element(0.0, 0.3);
  faults.outage = *rc::gen::inRange(1, 4);
  faults.seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
  const Network network(*test::graph(kMostAgents), MixingKind::metropolis, faults);
  LocalChannel channel(network);
  const double largest = *test::unit();
  RC_ASSERT(channel.flood_max(largest) == largest);
  RC_ASSERT(channel.traffic().rounds == network.flood_rounds());
}

RC_GTEST_PROP(TableProperty, NumbersComeBackFromTextAndFromNumpysFormat, ()) {
  NumberTable table;
  table.rows = static_cast<std::size_t>(*rc::gen::inRange(1, 12));
  table.columns = static_cast<std::size_t>(*rc::gen::inRange(1, 6));
  table.values = *rc::gen::container<std::vector<double>>(
      table.rows * table.columns, rc::gen::map(rc::gen::pair(test::unit(), test::scale_m()),
                                               [](const auto& p) { return p.first * p.second; }));
  const std::string bytes = to_npy(table);
  const auto as_read = {decode_csv(to_csv(table), "text"),
                        decode_npy(std::as_bytes(std::span(bytes)), "numpy")};
  for (const NumberTable& again : as_read) {
    RC_ASSERT(again.rows == table.rows && again.columns == table.columns);
    RC_ASSERT(again.values == table.values);
  }
}

}  // namespace
}  // namespace roadplane
