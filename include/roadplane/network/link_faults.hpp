#pragma once

#include <cstdint>
#include <string>

#include "roadplane/network/graph.hpp"

namespace roadplane {

/// For tests and studies: links that fail for a while, agents that sleep or leave, and messages
/// that take their time.
///
/// A link's rounds come in periods of outage + 1. In a bad period the link is down, both ways, for
/// `outage` rounds and up for one; in a good one it is up all the time. Hence no outage is longer,
/// and of any outage + 1 rounds in a row every link works in at least one. Which periods are bad is
/// a function of (seed, link, period): both ends know it without talking, wherever they are hosted.
///
/// An agent that sleeps is out of reach: all of its links are down. It sleeps in the same way, for
/// `outage` rounds of a bad period; agents that sleep wake up together, and links then work in that
/// round, so that the window above holds for them, too.
struct LinkFaults {
  double drop = 0;   ///< share of rounds in which a link is down, at most outage / (outage + 1)
  int outage = 1;    ///< [rounds] that a link stays down, or an agent asleep
  double sleep = 0;  ///< share of rounds in which an agent sleeps, with the same limit
  int leaver = -1;   ///< an agent that leaves for good, without a word; -1 is nobody
  std::int64_t leaves_after = 0;  ///< [rounds] that it takes part in
  int latency_us = 0;  ///< [us] that every message takes at least, waited for in real time
  std::uint64_t seed = 1;

  /// "drop=0.1,sleep=0.3,outage=5,leave=3@200,latency=200us", any of them, in any order; empty is
  /// no faults. Throws InputError naming the part at fault.
  static LinkFaults parse(const std::string& text, std::uint64_t seed);

  /// Throws InputError naming the bad field and its range.
  void validate() const;

  bool leaves() const { return leaver >= 0; }
  /// Whether the weights may change from round to round.
  bool drops() const { return drop > 0 || sleep > 0 || leaves(); }
  bool any() const { return drops() || latency_us > 0; }
  /// Rounds in a row of which every link between agents that stay works in at least one.
  int window() const { return drop > 0 || sleep > 0 ? outage + 1 : 1; }
  /// Whether an agent has left before a round.
  bool gone(int agent, std::int64_t round) const {
    return agent == leaver && round >= leaves_after;
  }
  bool asleep(int agent, std::int64_t round) const;
  /// The share of rounds in which so many links of one agent, 1 or 2, are all up.
  double up(int links) const;

  /// Whether the link between two agents is down in a round, counted from 0.
  bool down(int agent, int other, std::int64_t round) const;

  /// Links that are down in a round, on average over the rounds first..last-1.
  double mean_links_down(const Graph& graph, std::int64_t first, std::int64_t last) const;

  /// The factor by which a round shrinks disagreement, as a root mean square over independent
  /// rounds, if without faults it is `slem` and no link weighs more than `largest_weight`.
  double contraction(double slem, double largest_weight) const;
};

}  // namespace roadplane
