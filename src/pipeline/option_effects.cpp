#include "roadplane/pipeline/option_effects.hpp"

#include <variant>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane {
namespace {

/// `expected` says with what the option would have an effect.
template <class T>
void refuse_if_changed(const char* field, const T& value, const T& usual, const char* expected,
                       const std::string& found) {
  if (value != usual) throw FieldError(field, expected, found);
}

void check_objective(const SegmentConfig& config) {
  const SegmentConfig usual;
  const std::string found = in_quotes(config.objective);
  if (config.objective == "robust") {
    refuse_if_changed("tolerance", config.tolerance, usual.tolerance, "{objective} l3 with it",
                      found);
    return;
  }
  constexpr const char* kRobust = "{objective} robust with it";
  refuse_if_changed("loss", config.loss, usual.loss, kRobust, found);
  refuse_if_changed("scale", config.scale, usual.scale, kRobust, found);
  refuse_if_changed("max_tilt_deg", config.max_tilt_deg, usual.max_tilt_deg, kRobust, found);
  refuse_if_changed("min_height_m", config.min_height_m, usual.min_height_m, kRobust, found);
  refuse_if_changed("max_height_m", config.max_height_m, usual.max_height_m, kRobust, found);
}

void check_batch(const SegmentConfig& config) {
  const auto solver = solver_by_name(config.solver);
  const bool draws = solver && std::visit(
                                   [](const auto& o) {
                                     return requires { o.batch; };
                                   },
                                   *solver);
  if (!draws) {
    refuse_if_changed("batch", config.batch, SegmentConfig{}.batch,
                      "a {solver} that draws samples with it", in_quotes(config.solver));
  }
}

}  // namespace

void refuse_without_effect(const SegmentConfig& config) {
  const SegmentConfig usual;
  const SaveChoice save = SaveChoice::parse(config.save);
  check_objective(config);
  check_batch(config);
  if (!save.colours_points()) {
    refuse_if_changed("overlay_style", config.overlay_style, usual.overlay_style,
                      "{save} with overlay, birdseye, ply or pcd", in_quotes(config.save));
  }
  if (!save.has_pictures()) {
    refuse_if_changed("image_format", config.image_format, usual.image_format,
                      "{save} with overlay, birdseye or relief", in_quotes(config.save));
  }
  if (!save.trace) {
    refuse_if_changed("trace_growth", config.trace_growth, usual.trace_growth, "{save} with trace",
                      in_quotes(config.save));
  }
  if (config.truth == "none") {
    refuse_if_changed("scoring", config.scoring, usual.scoring, "a {truth} with it", "\"none\"");
  }
}

}  // namespace roadplane
