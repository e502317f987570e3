#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "figure2.hpp"
#include "roadplane/base/file.hpp"

namespace roadplane {
namespace {

/// "erdos-renyi:0.5" in a file's name.
std::string file_name(const Figure2Network& network) {
  return "figure2_" + network.topology.substr(0, network.topology.find(':'));
}

double end_of(const NamedTrace& named) {
  return named.trace.empty() ? std::numeric_limits<double>::quiet_NaN()
                             : named.trace.back().gap.total();
}

Outcome judge(const Figure2& figure) {
  Outcome outcome;
  for (const Figure2Network& network : figure.networks) {
    const bool below = network.below_from_rounds >= 0;
    outcome.claims.push_back(
        {fmt::format("VRSGT lies below DRSGD on the {} network", network.topology), below,
         fmt::format("StaGap {:.1e} of VRSGT against {:.1e} of DRSGD at the end, {}",
                     end_of(network.traces[0]), end_of(network.traces[1]),
                     below ? fmt::format("below it from round {} on", network.below_from_rounds)
                           : std::string("not below it"))});
  }
  return outcome;
}

std::string setting_text(const Figure2& figure) {
  const Figure2Options& o = figure.options;
  return fmt::format(
      "PCA of {}, p = {}, divided among d = {} agents (l = {} each); Metropolis weights; batch {}; "
      "VRSGT with beta = 1 and q = sqrt(l). Grey values run from 0 to 1, and they are not centred. "
      "Both methods start from the same random orthonormal X.\n\n"
      "Both are tuned on each network with the same grid of steps ({}) and the same {} rounds; the "
      "smallest StaGap at the end is the choice. DRSGD is tried with constant, 1/sqrt(k) and 1/k "
      "steps (k: the epoch), so it has three times as many tries as VRSGT. Curves are medians over "
      "several draws with bands of 10 to 90 %. An iteration of VRSGT "
      "counts as two rounds, as in the paper, one of DRSGD as one; messages by which agents check "
      "for divergence count, too.",
      figure.data, o.p, o.agents, figure.samples_each, o.batch, fmt::join(o.steps, ", "), o.rounds);
}

std::string measured_text(const Figure2& figure) {
  std::string text =
      "| network | SLEM | best VRSGT | StaGap | best DRSGD | StaGap | DRSGD / VRSGT | VRSGT below "
      "from round |\n|---|---:|---|---:|---|---:|---:|---:|\n";
  for (const Figure2Network& network : figure.networks) {
    const double vrsgt = end_of(network.traces[0]);
    const double drsgd = end_of(network.traces[1]);
    text += fmt::format(
        "| {} | {:.3f} | {} | {:.2e} | {} | {:.2e} | {:.1e} | {} |\n", network.topology,
        network.slem, network.best[0].to_string(), vrsgt, network.best[1].to_string(), drsgd,
        drsgd / vrsgt,
        network.below_from_rounds < 0 ? "never" : fmt::to_string(network.below_from_rounds));
  }
  for (const Figure2Network& network : figure.networks) {
    text += fmt::format("\n![{0}]({1}.png)\n", network.topology, file_name(network));
  }
  return text + "\nEvery try of the tuning: `figure2_tuning.csv`; the curves: `figure2_*.csv`.";
}

nlohmann::json network_json(const Figure2Network& network) {
  return {{"network", network.topology},
          {"slem", network.slem},
          {"vrsgt", network.best[0].to_string()},
          {"vrsgt_stagap", end_of(network.traces[0])},
          {"drsgd", network.best[1].to_string()},
          {"drsgd_stagap", end_of(network.traces[1])},
          {"vrsgt_below_from_round", network.below_from_rounds}};
}

}  // namespace

Outcome write_figure2(const Figure2& figure, const std::filesystem::path& folder) {
  const Outcome outcome = judge(figure);
  const std::string what = figure.data.substr(0, figure.data.find(" ("));
  std::string tuning = "network,method,stagap\n";
  nlohmann::json networks = nlohmann::json::array();
  for (const Figure2Network& network : figure.networks) {
    std::vector<NamedTrace> all(std::begin(network.traces), std::end(network.traces));
    all.insert(all.end(), network.more.begin(), network.more.end());
    write_traces(folder, file_name(network), fmt::format("PCA on {}, {}", what, network.topology),
                 all);
    networks.push_back(network_json(network));
    for (const auto& trial : network.trials) {
      tuning += fmt::format("{},{},{:.6e}\n", network.topology, trial.candidate.to_string(),
                            trial.stagap);
    }
  }
  write_file_atomically(folder / "figure2_tuning.csv", tuning);
  write_json(folder / "figure2.json",
             {{"data", figure.data},
              {"agents", figure.options.agents},
              {"samples_per_agent", figure.samples_each},
              {"p", figure.options.p},
              {"batch", figure.options.batch},
              {"rounds", figure.options.rounds},
              {"steps", figure.options.steps},
              {"seed", figure.options.seed},
              {"networks", networks}},
             outcome);
  write_page(folder,
             {fmt::format("Figure 2: PCA on {}, VRSGT against DRSGD", what), setting_text(figure),
              "StaGap against communication rounds on a ring, a star and an Erdos-Renyi network: "
              "VRSGT lies below DRSGD on all three.",
              measured_text(figure)},
             outcome);
  return outcome;
}

}  // namespace roadplane
