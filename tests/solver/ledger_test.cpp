#include "roadplane/solver/ledger.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace roadplane {
namespace {

TEST(Ledger, EveryLimitIsAskedBeforeItIsExceeded) {
  const Network network(Graph::ring(4));
  LocalChannel channel(network);
  channel.flood_max(1);  // sent before the ledger began
  Ledger ledger(channel);
  EXPECT_EQ(ledger.traffic().rounds, 0);

  const Expense flood{flood_traffic(network), 0};  // 2 rounds: the diameter
  EXPECT_EQ(ledger.limit_before(flood, {.max_rounds = 2}), std::nullopt);
  EXPECT_EQ(ledger.limit_before(flood, {.max_rounds = 1}), Termination::round_limit);
  EXPECT_EQ(ledger.needs(Termination::round_limit, flood), "2 rounds");
  channel.flood_max(1);
  EXPECT_EQ(ledger.traffic().rounds, 2);
  EXPECT_EQ(ledger.limit_before(flood, {.max_rounds = 4}), std::nullopt);
  EXPECT_EQ(ledger.limit_before(flood, {.max_rounds = 3}), Termination::round_limit);
  EXPECT_EQ(ledger.limit_before(flood, {.max_messages = 3}), Termination::message_limit);
  EXPECT_EQ(ledger.limit_before(flood, {.max_messages = 4}), std::nullopt);
  // 2 rounds of 8 bytes to 2 neighbours, twice
  EXPECT_EQ(ledger.limit_before(flood, {.max_bytes = 64}), std::nullopt);
  EXPECT_EQ(ledger.limit_before(flood, {.max_bytes = 63}), Termination::byte_limit);
  EXPECT_EQ(ledger.needs(Termination::byte_limit, flood), "64 bytes");

  ledger.count_samples(10);
  ledger.count_samples(5);
  EXPECT_EQ(ledger.samples(), 15);
  EXPECT_EQ(ledger.limit_before({{}, 5}, {.max_samples = 20}), std::nullopt);
  EXPECT_EQ(ledger.limit_before({{}, 6}, {.max_samples = 20}), Termination::sample_limit);
  EXPECT_EQ(ledger.needs(Termination::sample_limit, {{}, 6}), "21 samples");

  ledger.set_aside({{}, 3});
  EXPECT_EQ(ledger.limit_before({{}, 2}, {.max_samples = 20}), std::nullopt);
  EXPECT_EQ(ledger.limit_before({{}, 3}, {.max_samples = 20}), Termination::sample_limit);

  EXPECT_EQ(ledger.limit_before({{}, 1 << 30}, {}), std::nullopt);  // limits of 0 are off
  EXPECT_EQ(ledger.limit_before({}, {.max_seconds = 3600}, 60), std::nullopt);
  EXPECT_EQ(ledger.limit_before({}, {.max_seconds = 3600}, 3600), Termination::time_limit);
}

TEST(Ledger, LookingIsNotCounted) {
  const Network network(Graph::ring(4));
  LocalChannel channel(network);
  Ledger ledger(channel);
  ledger.watch().pause();
  const double before = ledger.seconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(ledger.seconds(), before);
  EXPECT_GE(ledger.watch().resume(), 0.02);
  EXPECT_LT(ledger.seconds(), before + 0.015);
}

}  // namespace
}  // namespace roadplane
