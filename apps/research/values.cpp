#include "option_values.hpp"
#include "roadplane/baseline/registry.hpp"
#include "roadplane/compare/compare_config.hpp"
#include "roadplane/study/reproduce.hpp"

namespace roadplane::app {

std::vector<std::string> research_values(std::string_view option) {
  const auto words = [](std::span<const std::string_view> names) {
    return std::vector<std::string>(names.begin(), names.end());
  };
  if (option == "--solvers") return words(compared_solver_names());
  if (option == "--baselines") return words(baseline_names());
  if (option != "EXPERIMENT") return {};
  std::vector<std::string> experiments = experiment_names();
  experiments.emplace_back("all");
  return experiments;
}

}  // namespace roadplane::app
