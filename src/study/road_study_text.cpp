#include "road_study_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "roadplane/compare/paper_protocol.hpp"

namespace roadplane {

std::string setting_text(const RoadStudy& study) {
  const RoadStudyOptions& o = study.options;
  std::string text = fmt::format(
      "DPCP on road scans, d = {} agents, {} network with Metropolis weights, azimuth shards, "
      "beta = 1 (seed {}). {}\n\n",
      o.agents, o.topology, o.seed, paper_protocol_sentence());
  for (const RoadMethod& method : o.methods) {
    if (method.objective != "l3") {
      text += fmt::format("- {}: the program's default, with a schedule of its own\n", method.name);
    } else if (method.step > 0) {
      text += fmt::format("- {}: our choice in place of the demo's step; k is the epoch\n",
                          method.name);
    } else {
      text += fmt::format("- {}: by the protocol\n", method.name);
    }
  }
  return text +
         "\nTruth: an annotation where one is public, else the reference plane, a robust estimate "
         "from the same scan (on annotated frames it is 3e-4 to 7e-3 away from the annotation).";
}

std::string csv_of(const RoadStudy& study) {
  std::string csv =
      "method,frame,truth,recovery_error,recovery_error_worst_agent,paper,stagap,"
      "consensus_error,iterations,rounds,samples,solve_ms\n";
  for (std::size_t m = 0; m < study.records.size(); ++m) {
    const RoadMethod& method = study.options.methods[m];
    for (std::size_t f = 0; f < study.frames.size(); ++f) {
      const FrameRecord& r = study.records[m][f];
      csv += fmt::format(
          "\"{}\",{},{},{:.6e},{:.6e},{},{:.6e},{:.6e},{},{},{},{:.1f}\n", method.name,
          study.frames[f].name, r.score->truth, r.score->recovery_error,
          r.score->recovery_error_worst_agent,
          method.paper == nullptr ? "" : fmt::format("{:.3e}", study.frames[f].*method.paper),
          r.gap.total(), r.consensus_error, r.iterations, r.rounds, r.samples, r.ms.solve);
    }
  }
  return csv;
}

nlohmann::json json_of(const RoadStudy& study) {
  nlohmann::json rows = nlohmann::json::array();
  for (std::size_t m = 0; m < study.records.size(); ++m) {
    for (std::size_t f = 0; f < study.frames.size(); ++f) {
      nlohmann::json row = {{"method", study.options.methods[m].name},
                            {"paper_frame", study.frames[f].name},
                            {"record", to_json(study.records[m][f])}};
      if (study.options.methods[m].paper != nullptr) {
        row["paper"] = study.frames[f].*study.options.methods[m].paper;
      }
      rows.push_back(std::move(row));
    }
  }
  return {{"rows", rows}};
}

}  // namespace roadplane
