// What bench/mpi_bench.sh has measured, as a table, and a model of larger networks fitted to it:
//
//   time of a frame = messages in a row x (latency + overhead x links of the busiest agent)
//                   + bytes that the busiest agent sends / bandwidth + arithmetic of an agent.
//
// The messages and bytes are not modelled: the whole solve is run on that network, in one process,
// and they are counted. Weak scaling: every agent holds as many points as one of 16 does today.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "roadplane/base/counter_random.hpp"
#include "roadplane/dpcp/find_plane.hpp"
#include "roadplane/geometry/shards.hpp"

namespace {

using namespace roadplane;

constexpr int kPointsEach = 7500;
constexpr double kBandwidth = 125e6;  // [B/s] 1 Gbit/s
constexpr double kLan = 50e-6;        // [s]
constexpr double kRadio = 1e-3;       // [s]

/// Keys and values of the lines that begin with `kind`, by their number of ranks.
using Lines = std::map<int, std::map<std::string, double>>;

Lines read_lines(const std::string& path, const std::string& kind) {
  Lines lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    int number = 0;
    if (!(words >> word >> number) || word != kind) continue;
    while (words >> word) {
      const auto equals = word.find('=');
      lines[number][word.substr(0, equals)] = std::stod(word.substr(equals + 1));
    }
  }
  return lines;
}

void print_measured(const Lines& own, const Lines& python, const Lines& sequence) {
  std::printf("Microseconds (16 agents, 4 x 1, batch 16, Erdos-Renyi 0.5), best of the runs:\n\n");
  std::printf("| ranks | VRSGT iteration | bare exchange | as a collective | mpi4py | ratio |\n");
  std::printf("|---:|---:|---:|---:|---:|---:|\n");
  for (const auto& [ranks, us] : own) {
    std::printf("| %d | %.1f | %.1f | %.1f |", ranks, us.at("iteration_us"), us.at("exchange_us"),
                us.at("neighbour_us"));
    const auto other = python.find(ranks);
    if (other == python.end()) {
      std::printf(" - | - |\n");
    } else {
      const double slow = other->second.at("iteration_us");
      std::printf(" %.0f | %.0fx |\n", slow, slow / us.at("iteration_us"));
    }
  }
  for (const auto& [ranks, line] : sequence) {
    std::printf("\n%d rank%s, a frame each: %.1f frames per second", ranks, ranks == 1 ? "" : "s",
                line.at("frames_per_s"));
  }
  std::printf("\n\n");
}

/// What sending and receiving a message takes, by least squares of relative errors. A core handles
/// the messages of all ranks that share it.
double fit_message_us(const Lines& own, int cores) {
  double sum = 0;
  double squares = 0;
  for (const auto& [ranks, us] : own) {
    const double ratio = us.at("messages") / std::min(ranks, cores) / us.at("exchange_us");
    sum += ratio;
    squares += ratio * ratio;
  }
  const double message_us = sum / squares;
  std::printf("Fit: exchange = %.2f us x messages per core\n", message_us);
  for (const auto& [ranks, us] : own) {
    if (ranks == 1) continue;
    std::printf("  %2d ranks: measured %7.1f us, fitted %7.1f us\n", ranks, us.at("exchange_us"),
                message_us * us.at("messages") / std::min(ranks, cores));
  }
  return message_us;
}

/// Rings around the sensor: 60 % road, the rest stands on it.
Scan street(std::size_t count) {
  CounterRandom random(1, RandomUse::user);
  Scan scan(count);
  for (Point& p : scan) {
    const double range_m = 5 + 55 * random.uniform();
    const double angle = 6.2832 * random.uniform();
    const double above_m = random.uniform() < 0.6 ? 0 : 4 * random.uniform();
    p = {static_cast<float>(range_m * std::cos(angle)),
         static_cast<float>(range_m * std::sin(angle)),
         static_cast<float>(above_m - 1.7 + 0.01 * random.normal()), 0};
  }
  return scan;
}

/// Solves once on the network and prints what the model says of it.
void print_model(const std::string& name, const Graph& graph, double overhead_us) {
  const Network network(graph);
  const int agents = network.agents();
  const Scan scan = street(static_cast<std::size_t>(agents) * kPointsEach);
  const Shards shards = make_shards(scan, ShardKind::interleaved, agents);
  std::vector<int> all(agents);
  std::iota(all.begin(), all.end(), 0);
  std::vector<HomogeneousCloud> clouds(agents);
  assign_shards(scan, shards, all, clouds, {columns_enough({}, agents)});
  LocalChannel channel(network);
  const std::clock_t begin = std::clock();
  const PlaneFit result = find_plane(channel, clouds, {});
  const double arithmetic_s = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / agents;

  const Traffic& traffic = result.traffic;
  const double in_a_row = static_cast<double>(traffic.messages_per_link);
  const double overhead_s = in_a_row * graph.max_degree() * overhead_us * 1e-6;
  const double busiest_bytes = static_cast<double>(traffic.bytes_per_link) * graph.max_degree();
  const double sending_s = busiest_bytes / kBandwidth;
  const double rest_s = overhead_s + sending_s + arithmetic_s;
  std::printf("| %s | %d | %.5f | %d | %d | %.0f | %.0f | %.2f | %.2f | %.2f | %.0f | %.0f |\n",
              name.c_str(), agents, network.slem, network.diameter, result.gossip_rounds, in_a_row,
              busiest_bytes / 1e3, 1e3 * overhead_s, 1e3 * sending_s, 1e3 * arithmetic_s,
              1e3 * (in_a_row * kLan + rest_s), 1e3 * (in_a_row * kRadio + rest_s));
  std::fflush(stdout);
}

void print_models(double overhead_us) {
  std::printf(
      "\nModel of a frame, %d points an agent, %.2f us a message, 1 Gbit/s; times in ms, the last "
      "two "
      "in all:\n\n"
      "| network | agents | SLEM | diameter | messages an iteration | messages in a row | kB of "
      "the "
      "busiest | overhead | sending | arithmetic | at 0.05 ms latency | at 1 ms |\n"
      "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
      kPointsEach, overhead_us);
  for (const int agents : {16, 100, 1000}) {
    print_model("Erdos-Renyi, 16 links",
                Graph::erdos_renyi(agents, std::min(1.0, 16.0 / agents), 1), overhead_us);
    print_model("star", Graph::star(agents), overhead_us);
    print_model("grid", Graph::grid(agents), overhead_us);
    print_model("ring", Graph::ring(agents), overhead_us);
  }
  std::printf(
      "\nWith more agents an agent's arithmetic hardly changes (and shrinks if one scan is shared "
      "out\n"
      "instead). What grows are the messages in a row, and the bytes with them: by gossip as\n"
      "1 / sqrt(1 - SLEM), by floods as the diameter. At 1 ms they are nearly all of the time, so "
      "the\n"
      "network decides: random links keep SLEM and diameter nearly constant, a ring pays for its\n"
      "length, a star for its hub.\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: scaling_model MEASUREMENTS (bench/mpi_bench.sh makes them)\n");
    return 1;
  }
  const Lines own = read_lines(argv[1], "roadplane");
  if (own.size() < 3) {
    std::fprintf(stderr, "%s: expected lines of mpi_bench at 3 or more rank counts, found %zu\n",
                 argv[1], own.size());
    return 2;
  }
  print_measured(own, read_lines(argv[1], "mpi4py"), read_lines(argv[1], "sequence"));
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  print_models(fit_message_us(own, cores));
  return 0;
}
