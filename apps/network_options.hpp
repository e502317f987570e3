#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "command.hpp"

namespace roadplane::app {

/// Who shares the points and talks to whom; the same for every command that has agents. `shards`
/// lists the kinds there are for its points.
template <class Config>
void add_network_options(CLI::App& app, Config& c, const std::string& shards) {
  app.add_option("--agents", c.agents, "Agents that share the points")
      ->check(in_range(1, 10'000))
      ->capture_default_str();
  app.add_option("--topology", c.topology,
                 "Who talks to whom: erdos-renyi:PROBABILITY, ring, star, complete, grid, path or\n"
                 "FILE.json")
      ->capture_default_str();
  app.add_option("--mixing", c.mixing, "Weights: metropolis, lazy-metropolis or max-degree")
      ->capture_default_str();
  app.add_option(
         "--links", c.links,
         "For studies, faults of the network: drop=SHARE (of rounds that a link is down),\n"
         "sleep=SHARE (of rounds that an agent is out of reach), outage=ROUNDS (that either\n"
         "lasts), leave=AGENT@ROUND, latency=TIMEus (of a message), with commas")
      ->type_name("LIST");
  app.add_option(
         "--wire", c.wire,
         "What a number takes in the messages that are mixed: full (8 bytes), single, half\n"
         "or bits=N (4 to 12, rounded at random), both of these with error feedback; auto:\n"
         "what suits the message")
      ->capture_default_str();
  app.add_option("--shards", c.shards, "Who gets which points: " + shards)->capture_default_str();
  app.add_option("--seed", c.seed, "Of the network, the shards and the draws")
      ->check(in_range(0, 1e15))
      ->capture_default_str();
}

}  // namespace roadplane::app
