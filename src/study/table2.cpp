#include "roadplane/study/table2.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "road_study_text.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/results/grouped_table.hpp"
#include "roadplane/study/page.hpp"
#include "roadplane/viz/plot.hpp"

namespace roadplane {
namespace {

constexpr double kWithin = 0.1;  ///< of the paper's VRSGT row

/// Recovery errors with the paper's numbers below them, where it prints some.
std::string error_table(const RoadStudy& study) {
  GroupedTable table{"recovery error", {}, {}};
  const auto add_row = [&](const std::string& name, const auto& cell_of) {
    auto& row = table.rows.emplace_back(GroupedTable::Row{name, {}});
    for (std::size_t f = 0; f < study.frames.size(); ++f) row.cells.push_back(cell_of(f));
  };
  for (const RoadFrame& frame : study.frames) {
    const std::size_t slash = frame.name.find('/');
    table.columns.push_back({frame.name.substr(0, slash), frame.name.substr(slash + 1)});
  }
  add_row("truth", [&](std::size_t f) { return study.records[0][f].score->truth; });
  for (std::size_t m = 0; m < study.records.size(); ++m) {
    const auto error = [&](std::size_t f) { return study.records[m][f].score->recovery_error; };
    const RoadMethod& method = study.options.methods[m];
    add_row("**" + method.name + "**",
            [&](std::size_t f) { return fmt::format("**{:.3e}**", error(f)); });
    if (method.paper == nullptr) continue;
    const auto printed = [&](std::size_t f) { return study.frames[f].*method.paper; };
    add_row("the paper prints", [&](std::size_t f) { return fmt::format("{:.3e}", printed(f)); });
    add_row("ratio to it",
            [&](std::size_t f) { return fmt::format("{:.2f}", error(f) / printed(f)); });
  }
  return to_markdown(table);
}

std::string cost_table(const RoadStudy& study) {
  std::string text =
      "| on average | StaGap | disagreement of agents | rounds | solving |\n"
      "|---|---:|---:|---:|---:|\n";
  for (std::size_t m = 0; m < study.records.size(); ++m) {
    double gap = 0;
    double apart = 0;
    double rounds = 0;
    double ms = 0;
    const auto count = static_cast<double>(study.frames.size());
    for (const FrameRecord& record : study.records[m]) {
      gap += record.gap.total() / count;
      apart += record.consensus_error / count;
      rounds += static_cast<double>(record.rounds) / count;
      ms += record.ms.solve / count;
    }
    text += fmt::format("| {} | {:.1e} | {:.1e} | {:.0f} | {:.0f} ms |\n",
                        study.options.methods[m].name, gap, apart, rounds, ms);
  }
  return text + "\nThe robust objective is another function: its StaGap is not comparable.";
}

/// The rows that the paper prints, told apart by what they say about it.
Outcome judge_table2(const RoadStudy& study) {
  Outcome outcome{true, ""};
  for (std::size_t m = 0; m < study.records.size(); ++m) {
    const RoadMethod& method = study.options.methods[m];
    double farthest = 0;
    int worse = 0;
    for (std::size_t f = 0; f < study.frames.size(); ++f) {
      const double error = study.records[m][f].score->recovery_error;
      if (method.paper != nullptr) {
        farthest = std::max(farthest, std::abs(error / study.frames[f].*method.paper - 1));
      }
      if (error > 1.05 * study.records[0][f].score->recovery_error) ++worse;
    }
    if (method.paper == &RoadFrame::paper_vrsgt) {
      outcome.agrees = outcome.agrees && farthest <= kWithin;
      outcome.verdict += fmt::format("{} is within {:.1f} % of the paper's row on every frame. ",
                                     method.name, 100 * farthest);
    } else if (method.paper != nullptr) {
      outcome.verdict += fmt::format("{} is more than 5 % worse than VRSGT on {} of {} frames. ",
                                     method.name, worse, study.frames.size());
    }
  }
  outcome.verdict +=
      "The judgement rests on the VRSGT row alone. The paper's DRSGD row is not reproduced: its "
      "step and start are not known to us, and the error follows from them (see the ratios). With "
      "a small diminishing step DRSGD stays on its way, with a larger one it reaches what the "
      "objective "
      "allows, as VRSGT does. What VRSGT wins is exactness: StaGap and disagreement.";
  return outcome;
}

/// One point a frame; the paper's rows beside ours.
void plot_errors(const RoadStudy& study, const std::filesystem::path& file) {
  std::vector<viz::Curve> curves;
  std::string frames = "frame:";
  for (std::size_t f = 0; f < study.frames.size(); ++f) {
    frames += fmt::format(" {} = {}", f + 1, study.frames[f].name);
  }
  const auto add = [&](const std::string& name, const auto& error_of) {
    viz::Curve& curve = curves.emplace_back(viz::Curve{name, {}, {}});
    for (std::size_t f = 0; f < study.frames.size(); ++f) {
      curve.x.push_back(static_cast<double>(f + 1));
      curve.y.push_back(error_of(f));
    }
  };
  for (std::size_t m = 0; m < study.records.size(); ++m) {
    add(study.options.methods[m].name,
        [&](std::size_t f) { return study.records[m][f].score->recovery_error; });
  }
  add("paper's VRSGT", [&](std::size_t f) { return study.frames[f].paper_vrsgt; });
  add("paper's DRSGD", [&](std::size_t f) { return study.frames[f].paper_drsgd; });
  viz::write_plot(file, curves, {"Recovery error", frames, "recovery error"});
}

}  // namespace

Outcome write_table2(const RoadStudy& study, const std::filesystem::path& folder) {
  const Outcome outcome = judge_table2(study);
  write_file_atomically(folder / "table2.csv", csv_of(study));
  plot_errors(study, folder / "table2.png");
  write_json(folder / "table2.json", json_of(study), outcome);
  write_page(
      folder,
      {"Table 2: recovery error on road scans", setting_text(study),
       "VRSGT recovers the road plane with about a tenth to a fifth of DRSGD's error at equal "
       "communication; the numbers stand in the table below.",
       error_table(study) + "\n" + cost_table(study) + "\n\n![recovery errors](table2.png)"},
      outcome);
  return outcome;
}

}  // namespace roadplane
