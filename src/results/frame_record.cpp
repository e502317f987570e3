#include "roadplane/results/frame_record.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "roadplane/base/input_error.hpp"

namespace roadplane {
namespace {

using nlohmann::json;

constexpr std::array<std::pair<FrameStatus, const char*>, 3> kStatus{{
    {FrameStatus::ok, "ok"},
    {FrameStatus::incomplete, "incomplete"},
    {FrameStatus::failed, "failed"},
}};

const char* to_string(FrameStatus status) {
  for (const auto& [value, name] : kStatus) {
    if (value == status) return name;
  }
  return "?";
}

FrameStatus status_from(const std::string& text) {
  for (const auto& [value, name] : kStatus) {
    if (text == name) return value;
  }
  throw std::invalid_argument("status " + text);
}

void add_result(json& j, const FrameRecord& r) {
  j["inliers"] = r.inliers;
  j["w"] = {r.w(0), r.w(1), r.w(2), r.w(3)};
  j["plane"]["normal"] = {r.plane.normal(0), r.plane.normal(1), r.plane.normal(2)};
  j["plane"]["offset_m"] = r.plane.offset_m;
  j["threshold"] = r.threshold;
  j["threshold_value"] = r.threshold_value;
  if (!r.note.empty()) j["note"] = r.note;
  j["step"] = r.step;
  j["step_halvings"] = r.step_halvings;
  j["iterations"] = r.iterations;
  j["rounds"] = r.rounds;
  j["messages"] = r.messages;
  j["bytes_per_agent"] = r.bytes_per_agent;
  j["bytes_scan_per_agent"] = r.bytes_scan_per_agent;
  j["samples"] = r.samples;
  j["stationarity_gap"] = r.gap.total();
  j["stationarity"] = {{"gradient", r.gap.gradient},
                       {"consensus", r.gap.consensus},
                       {"feasibility", r.gap.feasibility}};
  j["consensus_error"] = r.consensus_error;
}

void add_score(json& j, const FrameScore& s) {
  j["truth"] = s.truth;
  j["recovery_error"] = s.recovery_error;
  j["recovery_error_worst_agent"] = s.recovery_error_worst_agent;
  j["angle_deg"] = s.angle_deg;
  j["height_error_m"] = s.height_error_m;
  if (!s.labels) return;
  j["precision"] = s.labels->precision;
  j["recall"] = s.labels->recall;
  j["f1"] = s.labels->f1;
  j["iou"] = s.labels->iou;
  j["auc"] = s.labels->auc;
  j["best_f1"] = s.labels->best_f1;
}

void read_result(const json& j, FrameRecord& r) {
  r.inliers = j.at("inliers");
  for (int k = 0; k < 4; ++k) r.w(k) = j.at("w").at(k);
  for (int k = 0; k < 3; ++k) r.plane.normal(k) = j.at("plane").at("normal").at(k);
  r.plane.offset_m = j.at("plane").at("offset_m");
  r.threshold = j.at("threshold");
  r.threshold_value = j.at("threshold_value");
  r.note = j.value("note", "");
  r.step = j.at("step");
  r.step_halvings = j.at("step_halvings");
  r.iterations = j.at("iterations");
  r.rounds = j.at("rounds");
  r.messages = j.at("messages");
  r.bytes_per_agent = j.at("bytes_per_agent");
  r.bytes_scan_per_agent = j.at("bytes_scan_per_agent");
  r.samples = j.at("samples");
  r.gap.gradient = j.at("stationarity").at("gradient");
  r.gap.consensus = j.at("stationarity").at("consensus");
  r.gap.feasibility = j.at("stationarity").at("feasibility");
  r.consensus_error = j.at("consensus_error");
}

FrameScore score_from(const json& j) {
  FrameScore s{j.at("truth"),     j.at("recovery_error"), j.at("recovery_error_worst_agent"),
               j.at("angle_deg"), j.at("height_error_m"), std::nullopt};
  if (j.contains("f1")) {
    s.labels = {j.at("precision"), j.at("recall"), j.at("f1"),
                j.at("iou"),       j.at("auc"),    j.at("best_f1")};
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
  if (r.status != FrameStatus::failed) read_result(j, r);
  if (j.contains("truth")) r.score = score_from(j);
  const json& ms = j.at("ms");
  r.ms = {ms.at("load"), ms.at("whiten"), ms.at("solve"), ms.at("label"), ms.at("draw")};
  return r;
}

}  // namespace

json to_json(const FrameRecord& r) {
  json j = {{"frame", r.frame},   {"sequence", r.sequence},        {"name", r.name},
            {"points", r.points}, {"status", to_string(r.status)}, {"termination", r.termination}};
  if (!r.error.empty()) j["error"] = r.error;
  if (r.status != FrameStatus::failed) add_result(j, r);
  if (r.score) add_score(j, *r.score);
  j["ms"] = {{"load", r.ms.load},
             {"whiten", r.ms.whiten},
             {"solve", r.ms.solve},
             {"label", r.ms.label},
             {"draw", r.ms.draw}};
  return j;
}

FrameRecord record_from_json(const json& j, const std::string& where) {
  try {
    return read(j);
  } catch (const std::exception& error) {  // of the JSON library: type or key
    throw InputError(where, "a record of this program", error.what());
  }
}

}  // namespace roadplane
