#include "roadplane/pipeline/segment_config.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "roadplane/input_error.hpp"
#include "roadplane/kitti/label_file.hpp"
#include "roadplane/pipeline/topology.hpp"

namespace roadplane {
namespace {

template <class Options>
Options common_options(const SegmentConfig& config, double default_step) {
  Options options;
  options.step = config.step > 0 ? config.step : default_step;
  options.seed = config.seed;
  options.stop.max_iterations = config.iterations;
  options.stop.residual_tolerance = config.tolerance;
  options.trace.end = true;
  options.trace.stages = SaveChoice::parse(config.save).trace;
  if constexpr (requires { options.batch; }) options.batch = config.batch;
  options.validate();
  return options;
}

AnySolverOptions solver_options(const SegmentConfig& config) {
  // Steps at which no kind of shards diverges on whitened scans.
  if (config.solver == "vrsgt") return common_options<VrsgtOptions>(config, 0.02);
  if (config.solver == "destiny") return common_options<DestinyOptions>(config, 0.02);
  if (config.solver == "drsgd") return common_options<DrsgdOptions>(config, 0.005);
  if (config.solver == "drgta") return common_options<DrgtaOptions>(config, 0.02);
  throw InputError("--solver", "vrsgt, destiny, drsgd or drgta", "\"" + config.solver + "\"");
}

DpcpOptions dpcp_options(const SegmentConfig& config) {
  if (config.objective != "l3")
    throw InputError("--objective", "l3", "\"" + config.objective + "\"");
  return {solver_options(config)};
}

std::string checked_truth(const std::string& truth) {
  for (const char* known : {"auto", "reference", "none"}) {
    if (truth == known) return truth;
  }
  if (truth.ends_with(".json")) return truth;
  try {
    kitti::ClassSet::parse(truth);
  } catch (const InputError&) {
    throw InputError("--truth",
                     "auto, road, ground, a list of classes, a .json plane file, reference or none",
                     "\"" + truth + "\"");
  }
  return truth;
}

ShardKind checked_shards(const std::string& name) {
  try {
    return shard_kind_from_string(name);
  } catch (const std::invalid_argument& error) {
    throw InputError("--shards", "azimuth, contiguous, interleaved or random", "\"" + name + "\"");
  }
}

viz::OverlayStyle checked_style(const std::string& name) {
  try {
    return viz::overlay_style_from_string(name);
  } catch (const std::invalid_argument&) {
    throw InputError("--overlay-style", "labels, truth or agents", "\"" + name + "\"");
  }
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return std::toupper(c); });
  return text;
}

}  // namespace

nlohmann::json to_json(const SegmentConfig& config) {
  return {{"path", config.path},           {"sequence", config.sequence},
          {"frames", config.frames},       {"agents", config.agents},
          {"topology", config.topology},   {"mixing", config.mixing},
          {"shards", config.shards},       {"solver", config.solver},
          {"objective", config.objective}, {"step", config.step},
          {"batch", config.batch},         {"iterations", config.iterations},
          {"tolerance", config.tolerance}, {"threshold", config.threshold},
          {"truth", config.truth},         {"seed", config.seed},
          {"save", config.save},           {"overlay-style", config.overlay_style}};
}

SaveChoice SaveChoice::parse(const std::string& text) {
  SaveChoice choice;
  if (text == "none") return choice;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    if (word == "label")
      choice.label = true;
    else if (word == "overlay")
      choice.overlay = true;
    else if (word == "birdseye")
      choice.birds_eye = true;
    else if (word == "ply")
      choice.ply = true;
    else if (word == "pcd")
      choice.pcd = true;
    else if (word == "trace")
      choice.trace = true;
    else
      throw InputError("--save", "none, or a list of label, overlay, birdseye, ply, pcd and trace",
                       "\"" + word + "\"");
  }
  return choice;
}

SegmentPlan::SegmentPlan(const SegmentConfig& config)
    : network(make_graph(config.topology, config.agents, config.seed),
              mixing_kind_from_string(config.mixing)),
      shards(checked_shards(config.shards)),
      dpcp(dpcp_options(config)),
      threshold(Threshold::parse(config.threshold)),
      truth(checked_truth(config.truth)),
      seed(config.seed),
      save(SaveChoice::parse(config.save)),
      overlay_style(checked_style(config.overlay_style)),
      method(upper(config.solver) + ", " + config.objective) {}

}  // namespace roadplane
