#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "roadplane/compare/budget.hpp"
#include "roadplane/compare/method_settings.hpp"
#include "roadplane/pipeline/segment_config.hpp"

namespace roadplane {

/// What is to be compared, in the words of the command line and of a configuration file.
struct CompareConfig {
  SegmentConfig common;  ///< all but solver, objective, iterations, save and how pictures look
  std::string solvers = "vrsgt,destiny,drsgd,drgta";  ///< of compared_solver_names()
  std::string objectives = "robust,l3";               ///< each solver with each of them
  std::string baselines = "svd,psgm,irls,ransac";     ///< of baseline_names(), or none
  std::string budget;                                 ///< "rounds=4000", ...; empty is automatic
  std::string protocol = "equal";                     ///< or paper
  bool tune = false;                                  ///< every solver's own parameters
  std::string tune_frames;                            ///< empty is some that are not compared
  std::string tune_steps = "0.002,0.01,0.05,0.2,1";   ///< where the search for a step begins
  int repeat = 1;                                     ///< seeds: common.seed, common.seed + 1, ...
  std::string save = "curves,panels";  ///< pictures: of curves, frame-curves and panels, or none
  int jobs = 1;                        ///< runs at a time; no part of what is compared
};

/// Those of the registry, and what stands beside them: vrsgt-no-penalty, which is VRSGT with beta =
/// 0, and all-reduce, which takes the steps of gossip-newton with everybody linked to everybody, so
/// that sums over all agents are exact after one message: central in all but name.
std::span<const std::string_view> compared_solver_names();

/// Keys are the long options' names.
nlohmann::json to_json(const CompareConfig& config);

/// One row of the tables: a solver on an objective, or a baseline.
struct CompareMethod {
  std::string name;  ///< "VRSGT, l3", "SVD"
  std::string solver;
  std::string objective;
  std::string baseline;  ///< empty for a solver
  MethodSettings settings = {};
  bool is_baseline() const { return !baseline.empty(); }
  bool is_central() const { return is_baseline() || solver == "all-reduce"; }
  bool has_step() const;
};

/// The configuration made concrete.
struct ComparePlan {
  /// Messages per link that l3 gets without a budget.
  static constexpr double kMessagesOfL3 = 2000;
  /// The robust objective gets those that VRSGT takes until it is at rest, times this.
  static constexpr double kSlackOfRobust = 1.05;

  CompareConfig config;
  std::vector<CompareMethod> methods;
  std::optional<Budget> budget;
  std::vector<double> steps;  ///< the grid to tune on
  bool curves = false;        ///< over all frames
  bool frame_curves = false;  ///< of every frame
  bool panels = false;

  /// Throws FieldError naming the field at fault.
  explicit ComparePlan(const CompareConfig& config);

  bool paper() const { return config.protocol == "paper"; }
  /// Of a method, or of the shards and the network that all methods share.
  SegmentPlan segment_plan(const CompareMethod& method, std::uint64_t seed) const;
};

}  // namespace roadplane
