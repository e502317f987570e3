#include "roadplane/study/page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "roadplane/base/file.hpp"
#include "roadplane/results/json_text.hpp"
#include "roadplane/viz/plot.hpp"

namespace roadplane {

void write_page(const std::filesystem::path& folder, const Page& page, const Outcome& outcome) {
  write_file_atomically(
      folder / "page.md",
      fmt::format("# {}\n\n## Setting\n\n{}\n\n## What the paper shows\n\n{}\n\n"
                  "## What we measured\n\n{}\n\n## Does it agree?\n\n**{}.** {}\n",
                  page.title, page.setting, page.paper, page.measured,
                  outcome.agrees ? "Yes" : "No", outcome.verdict));
}

void write_json(const std::filesystem::path& file, nlohmann::json json, const Outcome& outcome) {
  json["agrees"] = outcome.agrees;
  json["verdict"] = outcome.verdict;
  write_file_atomically(file, text_of(json, 2) + "\n");
}

void write_traces(const std::filesystem::path& folder, const std::string& name,
                  const std::string& title, std::span<const NamedTrace> traces) {
  std::string csv =
      "curve,iteration,rounds,samples,stagap,gradient,consensus,feasibility,objective\n";
  std::vector<viz::Curve> curves;
  for (const NamedTrace& named : traces) {
    viz::Curve& curve = curves.emplace_back(viz::Curve{named.name, {}, {}});
    for (const TraceEntry& entry : named.trace) {
      const StationarityGap& gap = entry.gap;
      csv += fmt::format("{},{},{},{},{:.9e},{:.9e},{:.9e},{:.9e},{:.12e}\n", named.name,
                         entry.iteration, entry.traffic.rounds, entry.samples, gap.total(),
                         gap.gradient, gap.consensus, gap.feasibility, entry.objective);
      curve.x.push_back(static_cast<double>(entry.traffic.rounds));
      curve.y.push_back(gap.total());
    }
  }
  write_file_atomically(folder / (name + ".csv"), csv);
  viz::write_plot(folder / (name + ".png"), curves, {title, "communication rounds", "StaGap"});
}

}  // namespace roadplane
