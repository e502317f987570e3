#include "research.hpp"

#include <pybind11/eigen.h>

#include <atomic>

#include "options.hpp"
#include "roadplane/compare/compare_tables.hpp"
#include "roadplane/compare/frame_choice.hpp"
#include "roadplane/pipeline/topology.hpp"
#include "roadplane/results/json_text.hpp"
#include "roadplane/results/tables.hpp"
#include "roadplane/subspace/solve_table.hpp"
#include "unlocked.hpp"

namespace roadplane::python {

namespace py = pybind11;

py::tuple compare(const std::vector<std::string>& paths, const py::dict& options,
                  const std::string& folder) {
  CompareConfig config = compare_config(options);
  config.common.data.paths = paths;
  config.save = "none";
  const auto [json, text] = unlocked([&] {
    config.common.data = config.common.data.resolved();
    const ComparePlan checked(config);  // before any file is opened
    const FrameChoice frames = choose_frames(config);
    config.common = config.common.with_target_for(frames.compared);
    const std::atomic<bool> stop = false;
    const Comparison comparison = compare_frames(
        ComparePlan(config), frames.compared, frames.tuned, folder, [](const auto&) {}, stop);
    return std::pair(text_of(comparison_json(comparison)), comparison_text(comparison));
  });
  return py::make_tuple(json, text);
}

py::tuple solve(const std::string& path, const py::dict& options) {
  SolveConfig config = solve_config(options);
  config.path = path;
  const Solved solved = unlocked([&] { return solve_table(config, SingleProcess()); });
  const Graph graph = make_graph(config.topology, config.agents, config.seed);
  return py::make_tuple(solved.x, text_of(to_json(solved.record)),
                        trace_csv(solved.trace, graph, "subspace_error", solved.trace_errors));
}

}  // namespace roadplane::python
