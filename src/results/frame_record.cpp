#include "roadplane/results/frame_record.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "metric_json.hpp"
#include "roadplane/base/input_error.hpp"

namespace roadplane {
namespace {

using nlohmann::json;

constexpr std::array<std::pair<FrameStatus, const char*>, 4> kStatus{{
    {FrameStatus::ok, "ok"},
    {FrameStatus::incomplete, "incomplete"},
    {FrameStatus::suspect, "suspect"},
    {FrameStatus::failed, "failed"},
}};

FrameStatus status_from(const std::string& text) {
  for (const auto& [value, name] : kStatus) {
    if (text == name) return value;
  }
  throw std::invalid_argument("status " + text);
}

std::optional<Interval> interval_from(const json& j, const char* key) {
  if (!j.contains(key)) return std::nullopt;
  return Interval{j.at(key).at(0), j.at(key).at(1)};
}

std::optional<FrameRelief> relief_from(const json& j) {
  if (!j.contains("relief")) return std::nullopt;
  const json& r = j.at("relief");
  return FrameRelief{r.at("low_m"), r.at("high_m"), r.at("roughness_m")};
}

constexpr std::array<const char*, 6> kPlaces{"ahead_5",  "ahead_10",  "ahead_20",
                                             "behind_5", "behind_10", "behind_20"};

void read_widths(const json& j, FrameRecord& r) {
  if (!j.contains("road_width")) return;
  for (std::size_t k = 0; k < kPlaces.size(); ++k) {
    const auto found = j.at("road_width").find(kPlaces[k]);
    if (found == j.at("road_width").end()) continue;
    r.road_width[k] = FrameWidth{found->at("m"), found->at("spread_m")};
  }
}

void read_result(const json& j, FrameRecord& r) {
  r.inliers = j.at("inliers");
  for (int k = 0; k < 4; ++k) r.w(k) = j.at("w").at(k);
  for (int k = 0; k < 3; ++k) r.plane.normal(k) = j.at("plane").at("normal").at(k);
  r.plane.offset_m = j.at("plane").at("offset_m");
  r.sensor_origin = j.value("sensor_origin", r.sensor_origin);
  r.tilt_deg_95 = interval_from(j, "tilt_deg_95");
  r.height_m_95 = interval_from(j, "height_m_95");
  r.target = j.at("target");
  r.relief = relief_from(j);
  read_widths(j, r);
  r.threshold = j.at("threshold");
  r.threshold_value = j.at("threshold_value");
  r.note = j.value("note", "");
  r.step = j.at("step");
  r.step_halvings = j.at("step_halvings");
  r.iterations = j.at("iterations");
  r.rounds = j.at("rounds");
  r.messages = j.at("messages");
  r.messages_per_link = j.at("messages_per_link");
  r.bytes_per_agent = j.at("bytes_per_agent");
  r.bytes_scan_per_agent = j.at("bytes_scan_per_agent");
  r.samples = j.at("samples");
  r.gap.gradient = j.at("stationarity").at("gradient");
  r.gap.consensus = j.at("stationarity").at("consensus");
  r.gap.feasibility = j.at("stationarity").at("feasibility");
  if (j.contains("minimiser_distance")) r.minimiser_distance = j.at("minimiser_distance");
  r.consensus_error = j.at("consensus_error");
}

FrameScore score_from(const json& j) {
  FrameScore s{j.at("truth"),     j.at("recovery_error"), j.at("recovery_error_worst_agent"),
               j.at("angle_deg"), j.at("height_error_m"), std::nullopt};
  if (j.contains("f1")) {
    s.labels = {j.at("scoring"), j.at("precision"), j.at("recall"), j.at("f1"),
                j.at("iou"),     j.at("accuracy"),  j.at("auc"),    j.at("best_f1")};
  }
  return s;
}

FrameRecord read(const json& j) {
  FrameRecord r;
  r.name = j.at("name");
  r.sequence = j.at("sequence");
  r.frame = j.at("frame");
  r.status = status_from(j.at("status"));
  r.error = j.value("error", "");
  r.points = j.at("points");
  r.termination = j.at("termination");
  r.began = j.value("began", "");
  if (r.status != FrameStatus::failed) read_result(j, r);
  if (j.contains("truth")) r.score = score_from(j);
  const json& ms = j.at("ms");
  r.ms = {ms.at("load"), ms.at("start"), ms.at("solve"), ms.at("label"), ms.at("draw")};
  return r;
}

}  // namespace

std::string to_string(FrameStatus status) {
  for (const auto& [value, name] : kStatus) {
    if (value == status) return name;
  }
  return "?";
}

json to_json(const FrameRecord& record) {
  json j;
  for (const Metric& metric : metrics()) {
    if (!metric.recorded) continue;
    if (const auto value = metric.value(record)) j[place_of(metric)] = json_of(*value);
  }
  return j;
}

FrameRecord record_from_json(const json& j, const std::string& where) {
  try {
    return read(j);
  } catch (const std::exception&) {  // of the JSON library: type or key
    throw InputError(where, "a record of this program", "something else");
  }
}

}  // namespace roadplane
