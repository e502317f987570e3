#include "roadplane/solver/ledger.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace roadplane {
namespace {

TEST(Ledger, EveryLimitIsAnswered) {
  const Network network(Graph::ring(4));
  LocalChannel channel(network);
  channel.flood_max(1);  // sent before the ledger began
  Ledger ledger(channel);
  EXPECT_EQ(ledger.traffic().rounds, 0);
  EXPECT_EQ(ledger.limit_reached({.max_rounds = 1, .max_samples = 1, .max_seconds = 3600}),
            std::nullopt);

  channel.flood_max(1);
  EXPECT_EQ(ledger.traffic().rounds, 2);  // the diameter
  EXPECT_EQ(ledger.limit_reached({.max_rounds = 3}), std::nullopt);
  EXPECT_EQ(ledger.limit_reached({.max_rounds = 2}), Termination::round_limit);

  ledger.count_samples(10);
  ledger.count_samples(5);
  EXPECT_EQ(ledger.samples(), 15);
  EXPECT_EQ(ledger.limit_reached({.max_samples = 16}), std::nullopt);
  EXPECT_EQ(ledger.limit_reached({.max_samples = 15}), Termination::sample_limit);

  EXPECT_EQ(ledger.limit_reached({}), std::nullopt);  // limits of 0 are off
  EXPECT_EQ(ledger.limit_reached({.max_seconds = 1e-12}), Termination::time_limit);
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
