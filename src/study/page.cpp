#include "page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "roadplane/base/file.hpp"
#include "roadplane/compare/band.hpp"
#include "roadplane/results/json_text.hpp"
#include "roadplane/viz/plot.hpp"

namespace roadplane {

namespace {

std::string claims_section(const std::string& heading, const Outcome& outcome, bool of_paper) {
  std::string rows;
  for (const Claim& c : outcome.claims) {
    if (c.of_paper != of_paper) continue;
    rows += fmt::format("| {} | {} | {} |\n", c.claim, c.agrees ? "yes" : "**no**", c.why);
  }
  if (rows.empty()) return "";
  return fmt::format("\n## {}\n\n| claim | agrees? | why |\n|---|---|---|\n{}", heading, rows);
}

}  // namespace

void write_page(const std::filesystem::path& folder, const Page& page, const Outcome& outcome) {
  write_file_atomically(folder / "page.md",
                        fmt::format("# {}\n\n## Setting\n\n{}\n\n## What the paper shows\n\n{}\n\n"
                                    "## What we measured\n\n{}\n",
                                    page.title, page.setting, page.paper, page.measured) +
                            claims_section("Does it agree with the paper?", outcome, true) +
                            claims_section("Asked beside the paper", outcome, false));
}

void write_json(const std::filesystem::path& file, nlohmann::json json, const Outcome& outcome) {
  json["claims"] = nlohmann::json::array();
  for (const Claim& c : outcome.claims) {
    json["claims"].push_back(
        {{"claim", c.claim}, {"agrees", c.agrees}, {"why", c.why}, {"of_paper", c.of_paper}});
  }
  write_file_atomically(file, text_of(json, 2) + "\n");
}

void write_traces(const std::filesystem::path& folder, const std::string& name,
                  const std::string& title, std::span<const NamedTrace> traces) {
  std::string csv =
      "curve,run,iteration,rounds,samples,stagap,gradient,consensus,feasibility,objective\n";
  std::vector<std::pair<std::string, std::vector<Series>>> lines;  // by name, in order
  for (const NamedTrace& named : traces) {
    auto line = std::find_if(lines.begin(), lines.end(),
                             [&](const auto& known) { return known.first == named.name; });
    if (line == lines.end()) line = lines.insert(lines.end(), {named.name, {}});
    Series& run = line->second.emplace_back();
    for (const TraceEntry& entry : named.trace) {
      const StationarityGap& gap = entry.gap;
      csv +=
          fmt::format("{},{},{},{},{},{:.9e},{:.9e},{:.9e},{:.9e},{:.12e}\n", named.name,
                      line->second.size(), entry.iteration, entry.traffic.rounds, entry.samples,
                      gap.total(), gap.gradient, gap.consensus, gap.feasibility, entry.objective);
      run.x.push_back(static_cast<double>(entry.traffic.rounds));
      run.y.push_back(gap.total());
    }
  }
  std::vector<viz::Curve> curves;
  for (const auto& [curve, runs] : lines) curves.push_back(band_of(curve, runs));
  write_file_atomically(folder / (name + ".csv"), csv);
  viz::write_plots(folder / (name + ".png"), curves, {title, "communication rounds", "StaGap"});
}

}  // namespace roadplane
