#include "roadplane/network/gossip.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "roadplane/base/counter_random.hpp"
#include "roadplane/base/input_error.hpp"

namespace roadplane {
namespace {

std::vector<double> random_rows(int rows, int width) {
  CounterRandom random(11, RandomUse::user);
  std::vector<double> values(static_cast<std::size_t>(rows) * width);
  for (double& v : values) v = random.normal();
  return values;
}

/// Largest difference of a row's entry from the column mean.
double disagreement(const std::vector<double>& values, int width) {
  const int rows = static_cast<int>(values.size()) / width;
  double largest = 0;
  for (int c = 0; c < width; ++c) {
    double mean = 0;
    for (int r = 0; r < rows; ++r) mean += values[r * width + c] / rows;
    for (int r = 0; r < rows; ++r)
      largest = std::max(largest, std::abs(values[r * width + c] - mean));
  }
  return largest;
}

double mean_of_column(const std::vector<double>& values, int width, int c) {
  double sum = 0;
  for (std::size_t k = c; k < values.size(); k += width) sum += values[k];
  return sum * width / static_cast<double>(values.size());
}

TEST(Mixer, AppliesTheMixingMatrix) {
  const Network network(Graph::erdos_renyi(16, 0.5, 1));
  LocalChannel channel(network);
  for (const int width : {1, 3, 4, 8, 11, 32}) {  // fixed and general widths
    for (const int rounds : {1, 2, 3}) {
      Mixer mixer(channel, width, {rounds, false});
      const auto rows = random_rows(16, width);
      for (int r = 0; r < 16; ++r) std::copy_n(&rows[r * width], width, mixer.outgoing(r));
      mixer.mix();
      using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
      RowMajor expected = Eigen::Map<const RowMajor>(rows.data(), 16, width);
      for (int k = 0; k < rounds; ++k) expected = (network.mixing.dense() * expected).eval();
      for (int r = 0; r < 16; ++r) {
        for (int c = 0; c < width; ++c) EXPECT_NEAR(mixer.mixed(r)[c], expected(r, c), 1e-14);
      }
    }
  }
}

TEST(Mixer, ChebyshevKeepsTheMeanAndContractsAsPredicted) {
  for (const Network& network : {Network(Graph::ring(16)), Network(Graph::star(16)),
                                 Network(Graph::erdos_renyi(16, 0.5, 4))}) {
    LocalChannel channel(network);
    for (const int rounds : {1, 2, 5, 20}) {
      const GossipOptions gossip{rounds, true};
      Mixer mixer(channel, 4, gossip);
      auto rows = random_rows(16, 4);
      const double mean = mean_of_column(rows, 4, 2);
      double norm_before = 0;
      for (int r = 0; r < 16; ++r) {
        std::copy_n(&rows[r * 4], 4, mixer.outgoing(r));
        norm_before += std::pow(rows[r * 4 + 2] - mean, 2);
      }
      mixer.mix();
      double norm_after = 0;
      double mean_after = 0;
      for (int r = 0; r < 16; ++r) {
        norm_after += std::pow(mixer.mixed(r)[2] - mean, 2);
        mean_after += mixer.mixed(r)[2] / 16;
      }
      EXPECT_NEAR(mean_after, mean, 1e-13);
      EXPECT_LE(std::sqrt(norm_after / norm_before),
                contraction(network.slem, gossip) * (1 + 1e-9) + 1e-15);
    }
  }
}

TEST(Gossip, EveryAgentGetsTheMeanToTheTolerance) {
  for (const Network& network :
       {Network(Graph::path(9)), Network(Graph::ring(16)), Network(Graph::star(16)),
        Network(Graph::complete(8)), Network(Graph::erdos_renyi(16, 0.5, 7))}) {
    for (const bool chebyshev : {false, true}) {
      LocalChannel channel(network);
      auto rows = random_rows(network.agents(), 10);
      const double mean = mean_of_column(rows, 10, 3);
      gossip_average(channel, rows, 10, 1e-12, {.chebyshev = chebyshev});
      EXPECT_LT(disagreement(rows, 10), 2e-11);
      EXPECT_NEAR(mean_of_column(rows, 10, 3), mean, 1e-13);
      EXPECT_EQ(channel.traffic().rounds, gossip_rounds(network.slem, 1e-12, chebyshev));
    }
  }
}

TEST(Gossip, SinglePrecisionHalvesTheBytesAndLosesOnlyRounding) {
  const Network network(Graph::erdos_renyi(16, 0.5, 7));
  for (const int width : {1, 4, 11}) {
    LocalChannel exact(network);
    LocalChannel rounded(network);
    auto doubles = random_rows(16, width);
    auto floats = doubles;
    gossip_average(exact, doubles, width, 1e-4);
    gossip_average(rounded, floats, width, 1e-4, {.chebyshev = true, .wire = Wire::single});
    for (std::size_t k = 0; k < floats.size(); ++k) EXPECT_NEAR(floats[k], doubles[k], 2e-6);
    EXPECT_EQ(rounded.traffic().rounds, exact.traffic().rounds);
    EXPECT_EQ(rounded.traffic().bytes_per_link, exact.traffic().rounds * ((width + 1) / 2) * 8);
  }
}

/// Changes are told, so that what rounding leaves shrinks with them, and none of it gets lost.
TEST(Gossip, HalfPrecisionTakesAQuarterOfTheBytesAndKeepsTheMean) {
  const Network network(Graph::erdos_renyi(16, 0.5, 7));
  for (const int width : {1, 4, 11}) {
    LocalChannel channel(network);
    auto rows = random_rows(16, width);
    const double mean = mean_of_column(rows, width, width - 1);
    gossip_average(channel, rows, width, 1e-4, {.chebyshev = true, .wire = Wire::half});
    EXPECT_NEAR(mean_of_column(rows, width, width - 1), mean, 1e-12);
    EXPECT_LT(disagreement(rows, width), 2e-3);
    EXPECT_EQ(channel.traffic().bytes_per_link, channel.traffic().rounds * ((width + 3) / 4) * 8);
  }
}

TEST(Gossip, HalfPrecisionGoesOnToFullAgreement) {
  const Network network(Graph::erdos_renyi(16, 0.5, 7));
  LocalChannel channel(network);
  Mixer mixer(channel, 4, {.wire = Wire::half});
  const auto rows = random_rows(16, 4);
  for (int r = 0; r < 16; ++r) std::copy_n(&rows[4 * r], 4, mixer.outgoing(r));
  for (int k = 0; k < 60; ++k) {
    mixer.mix();
    for (int r = 0; r < 16; ++r) std::copy_n(mixer.mixed(r), 4, mixer.outgoing(r));
  }
  for (int r = 0; r < 16; ++r) {
    EXPECT_NEAR(mixer.mixed(r)[2], mean_of_column(rows, 4, 2), 1e-6);
  }
}

/// Few bits a number: a byte for the scale and the bits, the mean kept, and the agreement gone on
/// to the end, since what rounding leaves is told later.
TEST(Gossip, FewBitsKeepTheMeanAndGoOnToFullAgreement) {
  const Network network(Graph::erdos_renyi(16, 0.5, 7));
  for (const int bits : {4, 5, 8, 11, 12}) {
    for (const int width : {1, 4, 11}) {
      LocalChannel channel(network);
      Mixer mixer(channel, width, {.wire = Wire::few(bits)});
      const auto rows = random_rows(16, width);
      for (int r = 0; r < 16; ++r) std::copy_n(&rows[width * r], width, mixer.outgoing(r));
      constexpr int kMixes = 100;
      for (int k = 0; k < kMixes; ++k) {
        mixer.mix();
        for (int r = 0; r < 16; ++r) std::copy_n(mixer.mixed(r), width, mixer.outgoing(r));
      }
      for (int r = 0; r < 16; ++r) {
        for (int c = 0; c < width; ++c) {
          EXPECT_NEAR(mixer.mixed(r)[c], mean_of_column(rows, width, c), 1e-6) << bits;
        }
      }
      EXPECT_EQ(channel.traffic().bytes_per_link, kMixes * (1 + (width * bits + 7) / 8));
      EXPECT_EQ(mixer.traffic().bytes_per_link, 1 + (width * bits + 7) / 8);
    }
  }
}

/// Every message rounds by chance, up as often as it must for the mean to be right.
TEST(Gossip, FewBitsAreRightOnAverage) {
  Network network(Graph::path(2));
  double sum = 0;
  constexpr int kSeeds = 4000;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    network.faults.seed = static_cast<std::uint64_t>(seed);
    LocalChannel channel(network);
    Mixer mixer(channel, 2, {.wire = Wire::few(4)});
    mixer.outgoing(0)[0] = 0.31;  // in units of 1/7, 2.17
    mixer.outgoing(0)[1] = 1;
    mixer.outgoing(1)[0] = mixer.outgoing(1)[1] = 0;
    mixer.mix();
    sum += 2 * mixer.mixed(1)[0];  // what agent 1 heard of agent 0
    EXPECT_GT(std::abs(2 * mixer.mixed(1)[0] - 0.31), 0.01);
  }
  EXPECT_NEAR(sum / kSeeds, 0.31, 0.004);
}

TEST(Gossip, ANumberThatIsNoneIsHeardAsNone) {
  const Network network(Graph::path(2));
  LocalChannel channel(network);
  Mixer mixer(channel, 1, {.wire = Wire::few(8)});
  mixer.outgoing(0)[0] = NAN;
  mixer.outgoing(1)[0] = 1;
  mixer.mix();
  EXPECT_TRUE(std::isnan(mixer.mixed(1)[0]));
  mixer.forget();
  mixer.outgoing(0)[0] = 1e300;  // more than a byte's scale tells: as much of it as it does
  mixer.outgoing(1)[0] = 0;
  mixer.mix();
  EXPECT_EQ(mixer.mixed(1)[0], std::ldexp(1.0, 126) / 2);
}

TEST(Wire, OfTheNetworkComesFirstAndIsReadFromText) {
  Network network(Graph::path(2));
  network.wire = Wire::half;
  EXPECT_EQ(GossipOptions{}.usable_wire(network), Wire::half);
  EXPECT_EQ(wire_bytes(8, Wire::full, network), 16);
  network.wire = Wire::few(8);
  EXPECT_EQ(GossipOptions{}.usable_wire(network), Wire::few(8));
  EXPECT_EQ(wire_bytes(8, Wire::full, network), 16);  // an agreement by itself
  network.faults.drop = 0.1;                          // changes must not get lost
  EXPECT_EQ(GossipOptions{}.usable_wire(network), Wire::single);
  EXPECT_EQ(Wire::parse("full"), Wire::full);
  EXPECT_EQ(Wire::parse("single"), Wire::single);
  EXPECT_EQ(Wire::parse("half"), Wire::half);
  EXPECT_EQ(Wire::parse("bits=8"), Wire::few(8));
  for (const char* bad : {"", "bits=3", "bits=13", "bits=", "bits=8x", "double", "8"}) {
    EXPECT_THROW(Wire::parse(bad), InputError) << bad;
  }
}

TEST(Gossip, ChebyshevNeedsTheSquareRootOfTheRounds) {
  const double slem = MixingMatrix(Graph::ring(32)).slem();
  const int plain = gossip_rounds(slem, 1e-12, false);
  const int fast = gossip_rounds(slem, 1e-12, true);
  EXPECT_GT(plain, 2000);
  EXPECT_LT(fast, 200);
  EXPECT_THROW(gossip_rounds(slem, 0, true), InputError);
}

TEST(Channel, CountsRoundsMessagesAndBytes) {
  const Network network(Graph::star(5));
  LocalChannel channel(network);
  Mixer mixer(channel, 8, {3, false}, 2);
  mixer.mix();
  EXPECT_EQ(channel.traffic().rounds, 6);  // 3 messages, each of X and D
  EXPECT_EQ(channel.traffic().messages(network.graph), 3 * 8);
  EXPECT_NEAR(channel.traffic().bytes_per_agent(network.graph), 3 * 8 * 8 * 8 / 5.0, 1e-12);
}

TEST(Channel, FloodingCostsTheDiameterAndTurnsNaNIntoInfinity) {
  const Network network(Graph::ring(8));
  LocalChannel channel(network);
  EXPECT_EQ(channel.flood_max(3), 3);
  EXPECT_EQ(channel.traffic().rounds, 4);
  EXPECT_TRUE(std::isinf(channel.flood_max(NAN)));
}

}  // namespace
}  // namespace roadplane
