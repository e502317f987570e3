#include "roadplane/pipeline/segment_config.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <numbers>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/evaluation/class_set.hpp"
#include "roadplane/pipeline/topology.hpp"

namespace roadplane {
namespace {

constexpr std::size_t kMostPlaneBytes = std::size_t{64} << 20;

double default_step(const AnySolverOptions& solver) {
  return std::visit([](const auto& o) { return o.kStepWhenWhitened; }, solver);
}

template <class Options>
void set_common(const SegmentConfig& config, Options& options) {
  options.step = config.step > 0 ? config.step : Options::kStepWhenWhitened;
  options.seed = config.seed;
  options.stop.max_iterations = config.iterations;
  options.stop.residual_tolerance = config.tolerance;
  options.trace.end = true;
  options.trace.minimiser = true;
  options.trace.checks = SaveChoice::parse(config.save).trace;
  if (options.trace.checks) {
    options.trace.growth = config.trace_growth;  // a solve may be at rest at the first check
    options.trace.mean = true;
  }
  if constexpr (requires { options.batch; }) options.batch = config.batch;
  options.validate();
}

AnySolverOptions solver_options(const SegmentConfig& config) {
  AnySolverOptions options = checked_solver(config.solver);
  std::visit([&](auto& o) { set_common(config, o); }, options);
  return options;
}

/// [rad], or 0 for what suits the target.
double checked_scale(const std::string& text) {
  if (text == "auto") return 0;
  double scale = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), scale);
  const std::string unit = error == std::errc() ? std::string(end) : "";
  if (unit == "deg") scale *= std::numbers::pi / 180;
  if ((unit != "rad" && unit != "deg") || !(scale >= 1e-4 && scale <= 0.1)) {
    throw FieldError("scale", "auto, or an angle from 0.0001rad to 0.1rad, in rad or deg",
                     in_quotes(text));
  }
  return scale;
}

Target checked_target(const std::string& name) {
  if (name == "auto") return Target::road;
  return besides_auto([&] { return target_from_string(name); });
}

/// A threshold for the road is that of the slab about the plane.
Surface checked_surface(const SegmentConfig& config, Target target) {
  if (config.surface == "auto") {
    const bool slab = target == Target::road && config.threshold != "auto";
    return slab ? Surface::plane : default_surface(target);
  }
  const Surface surface = besides_auto([&] { return surface_from_string(config.surface); });
  if (surface == Surface::road && target != Target::road) {
    throw FieldError("surface", "plane or relief, since the target is not road", in_quotes("road"));
  }
  return surface;
}

std::optional<Threshold> relief_limit(const SegmentConfig& config, Surface surface) {
  if (config.threshold == "auto" || surface == Surface::plane) return std::nullopt;
  const Threshold limit = Threshold::parse(config.threshold);
  if (limit.unit != ResidualUnit::metres) {
    throw FieldError("threshold", "auto or a distance such as 0.2m from the relief",
                     config.threshold);
  }
  return limit;
}

SaveChoice checked_save(const std::string& text, Surface surface) {
  const SaveChoice save = SaveChoice::parse(text);
  if (save.relief && surface == Surface::plane) {
    throw FieldError(
        "save", "relief only where points are measured from it, as for targets road and ground",
        in_quotes(text));
  }
  if (save.edges && surface != Surface::road) {
    throw FieldError("save", "edges only where the road is labelled, {surface} road",
                     in_quotes(text));
  }
  return save;
}

RobustOptions robust_options(const SegmentConfig& config) {
  RobustOptions robust;
  robust.loss = RobustLoss(config.loss);
  robust.sought = plane_sought(checked_target(config.target));
  if (const double scale_rad = checked_scale(config.scale); scale_rad > 0) {
    robust.above = robust.below = {scale_rad};
    robust.dominant_rad = scale_rad;
  }
  robust.step = config.step;
  robust.prior.max_tilt_deg = config.max_tilt_deg;
  robust.prior.min_height_m = config.min_height_m;
  robust.prior.max_height_m = config.max_height_m;
  return robust;
}

PlaneOptions plane_options(const SegmentConfig& config) {
  PlaneOptions options{solver_options(config), L3Options{}};
  const RobustOptions robust = robust_options(config);  // checked in any case
  robust.validate();
  if (config.objective == "robust") {
    options.objective = robust;
  } else if (config.objective != "l3") {
    throw FieldError("objective", "robust or l3", in_quotes(config.objective));
  }
  options.validate();
  return options;
}

bool checked_track(const SegmentConfig& config) {
  if (config.track && config.objective != "robust") {
    throw FieldError("track", "{objective} robust with it", in_quotes(config.objective));
  }
  return config.track;
}

/// Any text may be the name of a file.
nlohmann::json with_utf8_names(nlohmann::json value) {
  if (value.is_string()) return utf8_of_name(value.get<std::string>());
  if (value.is_structured()) {
    for (nlohmann::json& each : value) each = with_utf8_names(each);
  }
  return value;
}

std::string checked_truth(const std::string& truth) {
  for (const char* known : {"auto", "reference", "none"}) {
    if (truth == known) return truth;
  }
  if (truth.ends_with(".json")) {
    in_field("truth", [&] { return read_text_file(truth, kMostPlaneBytes); });
    return truth;
  }
  try {
    ClassSet::parse(truth);
  } catch (const FieldError& error) {
    throw FieldError("truth",
                     "auto, road, ground, a list of classes, a .json plane file, reference or none",
                     error.found());
  }
  return truth;
}

}  // namespace

SegmentConfig SegmentConfig::resolved() const {
  SegmentConfig config = *this;
  config.data = data.resolved();
  if (step == 0 && objective == "l3") config.step = default_step(checked_solver(solver));
  return config;
}

SegmentConfig SegmentConfig::with_target_for(std::span<const kitti::Frame> chosen) const {
  SegmentConfig config = *this;
  if (target != "auto") return config;
  const bool annotated = std::any_of(
      chosen.begin(), chosen.end(), [](const kitti::Frame& f) { return f.annotation.has_value(); });
  config.target = annotated ? "plane" : "road";
  return config;
}

kitti::DataConfig data_config_from_json(const nlohmann::json& config) {
  kitti::DataConfig data;
  const auto path = config.find("path");
  if (path != config.end() && path->is_array()) data.paths = path->get<std::vector<std::string>>();
  if (path != config.end() && path->is_string() && *path != "") {
    data.paths = {path->get<std::string>()};
  }
  for (std::string& each : data.paths) each = name_of_utf8(each);
  data.sequence = name_of_utf8(config.value("sequence", data.sequence));
  data.topic = name_of_utf8(config.value("topic", data.topic));
  data.frames = config.value("frames", data.frames);
  data.format = config.value("format", data.format);
  data.calib = name_of_utf8(config.value("calib", data.calib));
  data.transform = name_of_utf8(config.value("transform", data.transform));
  data.sensor_height_m = config.value("sensor-height", data.sensor_height_m);
  data.sensor_origin = config.value("sensor-origin", data.sensor_origin);
  return data;
}

nlohmann::json to_json(const SegmentConfig& config) {
  const kitti::DataConfig& data = config.data;
  nlohmann::json path = data.paths;
  if (data.paths.size() < 2) path = data.paths.empty() ? "" : data.paths.front();  // is no list
  return with_utf8_names({{"path", path},
                          {"sequence", data.sequence},
                          {"topic", data.topic},
                          {"frames", data.frames},
                          {"format", data.format},
                          {"calib", data.calib},
                          {"transform", data.transform},
                          {"sensor-height", data.sensor_height_m},
                          {"sensor-origin", data.sensor_origin},
                          {"agents", config.agents},
                          {"topology", config.topology},
                          {"mixing", config.mixing},
                          {"links", config.links},
                          {"wire", config.wire},
                          {"shards", config.shards},
                          {"solver", config.solver},
                          {"objective", config.objective},
                          {"loss", config.loss},
                          {"scale", config.scale},
                          {"max-tilt-deg", config.max_tilt_deg},
                          {"min-height-m", config.min_height_m},
                          {"max-height-m", config.max_height_m},
                          {"step", config.step},
                          {"batch", config.batch},
                          {"iterations", config.iterations},
                          {"tolerance", config.tolerance},
                          {"track", config.track},
                          {"target", config.target},
                          {"surface", config.surface},
                          {"threshold", config.threshold},
                          {"truth", config.truth},
                          {"scoring", config.scoring},
                          {"seed", config.seed},
                          {"save", config.save},
                          {"trace-growth", config.trace_growth},
                          {"overlay-style", config.overlay_style},
                          {"image-format", config.image_format}});
}

SaveChoice SaveChoice::parse(const std::string& text) {
  SaveChoice choice;
  if (text == "none") return choice;
  if (text.empty()) throw FieldError("save", "none, or a list", "nothing");
  for (const std::string& word : split_list(text)) {
    if (word == "label")
      choice.label = true;
    else if (word == "overlay")
      choice.overlay = true;
    else if (word == "birdseye")
      choice.birds_eye = true;
    else if (word == "edges")
      choice.edges = true;
    else if (word == "ply")
      choice.ply = true;
    else if (word == "pcd")
      choice.pcd = true;
    else if (word == "mcap")
      choice.mcap = choice.label = true;
    else if (word == "relief")
      choice.relief = true;
    else if (word == "trace")
      choice.trace = true;
    else
      throw FieldError(
          "save",
          "none, or a list of label, overlay, birdseye, edges, ply, pcd, mcap, relief and trace",
          in_quotes(word));
  }
  return choice;
}

SegmentPlan::SegmentPlan(const SegmentConfig& config)
    : network(make_network(config.topology, config.agents, config.mixing, config.links, config.wire,
                           config.seed)),
      shards(shard_kind_from_string(config.shards)),
      plane(plane_options(config)),
      track(checked_track(config)),
      target(checked_target(config.target)),
      surface(checked_surface(config, target)),
      threshold(config.threshold == "auto" ? default_threshold(target)
                                           : Threshold::parse(config.threshold)),
      limit(relief_limit(config, surface)),
      truth(checked_truth(config.truth)),
      scoring(scoring_from_string(config.scoring)),
      seed(config.seed),
      save(checked_save(config.save, surface)),
      overlay_style(viz::overlay_style_from_string(config.overlay_style)),
      image_format(viz::image_format_from_string(config.image_format)),
      method(upper_case(config.solver) + ", " + config.objective) {
  config.data.validate();
  require(config.trace_growth > 1 && config.trace_growth <= 10, "trace_growth",
          "a factor above 1, at most 10", config.trace_growth);
  if (truth == "none" && overlay_style == viz::OverlayStyle::truth) {
    throw FieldError("overlay_style", "labels or agents, where {truth} is none", "\"truth\"");
  }
}

}  // namespace roadplane
