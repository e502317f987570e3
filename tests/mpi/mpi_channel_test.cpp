// Agents over MPI ranks against all agents in one process: the same bits, for every solver,
// topology and kind of shards. Every rank also solves alone and compares its own agents; the ranks
// then agree on the verdict, so that a difference on one of them cannot leave the others waiting.

#include "roadplane/mpi/mpi_channel.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "roadplane/dpcp/find_plane.hpp"
#include "roadplane/geometry/shards.hpp"
#include "roadplane/mpi/mpi_process_group.hpp"
#include "roadplane/network/gossip.hpp"
#include "support/random_data.hpp"

namespace {

using namespace roadplane;

constexpr int kAgents = 16;

/// A road with things standing on it.
Scan street() {
  Scan scan = test::random_scan(4000, 3);
  for (std::size_t k = 0; k < scan.size(); k += 2) scan[k].z = -1.7F + 0.02F * (scan[k].z + 1.7F);
  return scan;
}

/// A fifth of the points are road, twice as many on what is raised beside it: the first plane found
/// is too high, and the agents have to look for a lower one.
Scan raised_street() {
  CounterRandom random(7, RandomUse::user);
  Scan scan(4000);
  for (Point& p : scan) {
    const double range_m = 3 * std::exp(2.3 * random.uniform());
    const double kind = random.uniform();
    const double angle = 6.2832 * random.uniform();
    double z = -1.7 + 0.01 * random.normal();
    if (kind >= 0.2)
      z += kind < 0.6 ? 0.15 + 0.02 * random.normal() : 0.2 + 0.4 * range_m * random.uniform();
    p = {static_cast<float>(range_m * std::cos(angle)),
         static_cast<float>(range_m * std::sin(angle)), static_cast<float>(z), 0};
  }
  return scan;
}

const Scan kStreet = street();

std::vector<HomogeneousCloud> clouds_of(const Scan& scan, ShardKind kind,
                                        std::span<const int> agents) {
  const Shards shards = make_shards(scan, kind, kAgents, 1);
  std::vector<HomogeneousCloud> clouds(agents.size());
  for (std::size_t r = 0; r < agents.size(); ++r) clouds[r].assign(scan, shards[agents[r]]);
  return clouds;
}

bool same(const std::optional<Interval>& a, const std::optional<Interval>& b) {
  return a.has_value() == b.has_value() && (!a || (a->low == b->low && a->high == b->high));
}

/// Intervals are as the first hosted agent sees them, which is agent 0 where they are written.
bool same_finding(const Finding& mine, const Finding& whole, bool intervals) {
  return mine.note() == whole.note() && mine.doubts == whole.doubts &&
         (!intervals ||
          (same(mine.tilt_deg, whole.tilt_deg) && same(mine.height_m, whole.height_m)));
}

bool same_bits(const PlaneFit& mine, const PlaneFit& whole, std::span<const int> agents) {
  bool same = mine.solve.termination == whole.solve.termination &&
              mine.solve.iterations == whole.solve.iterations &&
              mine.solve.traffic.rounds == whole.solve.traffic.rounds &&
              mine.solve.samples == whole.solve.samples && mine.w.size() == agents.size() &&
              mine.solve.trace.size() == whole.solve.trace.size() &&
              same_finding(mine.finding, whole.finding, agents[0] == 0);
  for (std::size_t k = 0; same && k < mine.solve.trace.size(); ++k) {
    same = mine.solve.trace[k].gap.total() == whole.solve.trace[k].gap.total() &&
           mine.solve.trace[k].objective == whole.solve.trace[k].objective;
  }
  for (std::size_t r = 0; same && r < agents.size(); ++r) {
    same = mine.w[r] == whole.w[agents[r]] && mine.solve.x[r] == whole.solve.x[agents[r]];
  }
  return same;
}

template <class Options>
PlaneOptions short_solve(const GossipOptions& gossip) {
  Options options;
  options.step = 0.02;
  options.gossip = gossip;
  options.stop.max_iterations = 60;
  options.trace.checks = true;
  return {options, L3Options{}};
}

/// The default: the robust objective with its own schedule, start and last agreement.
template <class Options>
PlaneOptions robust_solve() {
  Options options;
  options.trace.checks = true;
  return {options, RobustOptions{}};
}

int failures = 0;
const Communicator* all_ranks = nullptr;  // main's

/// Collective: a failure on one rank is one.
void check(bool good_here, const std::string& complaint) {
  std::uint64_t bad_ranks = good_here ? 0 : 1;
  MpiProcessGroup(*all_ranks).all_reduce_sum({&bad_ranks, 1});
  if (bad_ranks == 0) return;
  ++failures;
  if (all_ranks->rank() == 0) std::printf("%s\n", complaint.c_str());
}

/// Gives what all agents in one process found.
PlaneFit compare(const std::string& name, const Network& network, ShardKind kind,
                 const PlaneOptions& options, const Scan& scan = kStreet) {
  MpiChannel spread(network, *all_ranks);
  LocalChannel alone(network);
  const PlaneFit mine = find_plane(spread, clouds_of(scan, kind, spread.hosted()), options);
  const PlaneFit whole = find_plane(alone, clouds_of(scan, kind, alone.hosted()), options);
  check(same_bits(mine, whole, spread.hosted()), "differs: " + name);
  return whole;
}

/// Of two floors all ranks choose the same, and say the same.
void compare_two_floors(const std::string& name, const Network& network) {
  static const Scan scan = raised_street();
  for (const ShardKind kind : {ShardKind::azimuth, ShardKind::contiguous}) {
    const std::string where = name + ", " + std::string(to_string(kind)) + ", two floors";
    compare(where, network, kind, robust_solve<VrsgtOptions>(), scan);
  }
}

/// Few bits a number, rounded at random: the same draws whoever hosts an agent.
void compare_compressed(const std::string& name, Network network) {
  for (const Wire wire : {Wire::single, Wire::half, Wire::few(8), Wire::few(5)}) {
    network.wire = wire;
    const std::string where = name + ", " + std::to_string(wire.bits) + " bits";
    const ShardKind kind = ShardKind::azimuth;
    compare(where + ", VRSGT", network, kind, short_solve<VrsgtOptions>({1, false}));
    compare(where + ", gossip-IRLS", network, kind, short_solve<GossipIrlsOptions>({1, false}));
    compare(where + ", robust VRSGT", network, kind, robust_solve<VrsgtOptions>());
  }
}

/// Agents that sleep, and one that leaves where the others can do without it.
void compare_sleeping(const std::string& name, const Graph& graph) {
  const ShardKind kind = ShardKind::azimuth;
  const Network sleepy(graph, MixingKind::metropolis, {.drop = 0.1, .outage = 2, .sleep = 0.3});
  compare(name + ", asleep, VRSGT", sleepy, kind, short_solve<VrsgtOptions>({1, false}));
  compare(name + ", asleep, robust VRSGT", sleepy, kind, robust_solve<VrsgtOptions>());
  if (name == "star" || name == "ring") return;  // slow without Chebyshev's rounds
  const Network left(graph, MixingKind::metropolis, {.leaver = kAgents - 1, .leaves_after = 60});
  compare(name + ", left, VRSGT", left, kind, short_solve<VrsgtOptions>({1, false}));
  compare(name + ", left, robust VRSGT", left, kind, robust_solve<VrsgtOptions>());
}

/// What one agent says all hear, whoever hosts it, and whatever its sign.
void hear_each_agent(const std::string& name, const Network& network) {
  MpiChannel spread(network, *all_ranks);
  for (const int speaker : {0, kAgents - 1}) {
    double said[] = {-1.5, 2.5};
    if (std::ranges::count(spread.hosted(), speaker) == 0) said[0] = said[1] = 99;
    broadcast_from(spread, speaker, said);
    check(said[0] == -1.5 && said[1] == 2.5, name + ": not heard by all");
  }
}

/// On one network, or on all if `only` is empty.
void compare_all(const std::string& only) {
  const std::pair<const char*, Graph> graphs[] = {
      {"erdos-renyi", Graph::erdos_renyi(kAgents, 0.5, 1)},
      {"ring", Graph::ring(kAgents)},
      {"star", Graph::star(kAgents)},
      {"path", Graph::path(kAgents)},
      {"grid", Graph::grid(kAgents)},
      {"complete", Graph::complete(kAgents)}};
  for (const auto& [name, graph] : graphs) {
    if (!only.empty() && only != name) continue;
    const Network network(graph);
    for (const ShardKind kind :
         {ShardKind::azimuth, ShardKind::contiguous, ShardKind::interleaved, ShardKind::random}) {
      const std::string where = std::string(name) + ", " + std::string(to_string(kind));
      compare(where + ", VRSGT", network, kind, short_solve<VrsgtOptions>({1, false}));
      compare(where + ", VRSGT Chebyshev", network, kind, short_solve<VrsgtOptions>({3, true}));
      compare(where + ", DESTINY", network, kind, short_solve<DestinyOptions>({1, false}));
      compare(where + ", DRSGD", network, kind, short_solve<DrsgdOptions>({2, false}));
      compare(where + ", DRGTA", network, kind, short_solve<DrgtaOptions>({1, false}));
      compare(where + ", DPRGT", network, kind, short_solve<DprgtOptions>({1, false}));
      compare(where + ", REXTRA", network, kind, short_solve<RextraOptions>({2, true}));
      compare(where + ", robust VRSGT", network, kind, robust_solve<VrsgtOptions>());
      compare(where + ", robust DRSGD", network, kind, robust_solve<DrsgdOptions>());
      compare(where + ", robust gossip-IRLS", network, kind, robust_solve<GossipIrlsOptions>());
    }
    if (std::string(name) == "erdos-renyi" || std::string(name) == "ring") {
      compare_two_floors(name, network);
    }
    hear_each_agent(name, network);
    compare_compressed(name, network);
    compare_sleeping(name, graph);
    const Network lossy(graph, MixingKind::metropolis, {.drop = 0.3, .outage = 3});
    const std::string where = std::string(name) + ", lossy";
    compare(where + ", VRSGT", lossy, ShardKind::azimuth, short_solve<VrsgtOptions>({1, false}));
    compare(where + ", DRGTA", lossy, ShardKind::azimuth, short_solve<DrgtaOptions>({2, true}));
    compare(where + ", robust VRSGT", lossy, ShardKind::azimuth, robust_solve<VrsgtOptions>());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Communicator ranks = Communicator::start();
  all_ranks = &ranks;
  compare_all(argc > 1 ? argv[1] : "");
  if (ranks.rank() == 0) std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
