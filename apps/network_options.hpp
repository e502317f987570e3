#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "command.hpp"

namespace roadplane::app {

/// Who shares the points and talks to whom; the same for every command that has agents. `shards`
/// lists the kinds there are for its points.
template <class Config>
void add_network_options(CLI::App& app, Config& c, const std::string& shards) {
  app.add_option("--agents", c.agents, "Number of agents that share the points")
      ->check(in_range(1, 10'000))
      ->capture_default_str();
  app.add_option(
         "--topology", c.topology,
         "Network of the agents: erdos-renyi:PROBABILITY, ring, star, complete, grid, path\n"
         "or FILE.json")
      ->capture_default_str();
  app.add_option("--mixing", c.mixing,
                 "Weights of the links: metropolis, lazy-metropolis or max-degree")
      ->capture_default_str();
  app.add_option(
         "--links", c.links,
         "Simulated faults of the network, separated by commas: drop=SHARE (of the rounds\n"
         "in which a link is down), sleep=SHARE (of the rounds in which an agent is out of\n"
         "reach), outage=ROUNDS (how long either lasts), leave=AGENT@ROUND,\n"
         "latency=TIMEus (per message)")
      ->type_name("LIST");
  app.add_option(
         "--wire", c.wire,
         "Size of a number in a message: full (8 bytes), single (4), half (2) or bits=N (4 to\n"
         "12 bits); auto is what suits the message. half and bits=N use error feedback")
      ->capture_default_str();
  app.add_option("--shards", c.shards, "How points are divided among agents: " + shards)
      ->capture_default_str();
  app.add_option("--seed", c.seed, "Random seed for the network, the shards and the samples")
      ->check(in_range(0, 1e15))
      ->capture_default_str();
}

}  // namespace roadplane::app
