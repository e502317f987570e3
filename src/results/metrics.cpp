#include "roadplane/results/metrics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <numbers>
#include <set>
#include <stdexcept>

#include "roadplane/results/mount.hpp"

namespace roadplane {
namespace {

using Record = const FrameRecord&;
using Value = std::optional<MetricValue>;
using Form = MetricFormat::Form;

constexpr MetricFormat kText{Form::text, 0};
constexpr MetricFormat kInteger{Form::integer, 0};
constexpr MetricFormat kSignificant3{Form::significant, 3};
constexpr MetricFormat fixed(int digits) { return {Form::fixed, digits}; }
constexpr MetricFormat scientific(int digits) { return {Form::scientific, digits}; }

constexpr Metric derived(Metric m) {
  m.recorded = false;
  return m;
}

constexpr Metric of_agents(Metric m) {
  m.of_agents = true;
  return m;
}

constexpr Metric of_labels(Metric m) {
  m.of_labels = true;
  return m;
}

Value number(double value) { return value; }
Value number(std::integral auto value) { return static_cast<std::int64_t>(value); }

bool solved(Record r) { return r.status != FrameStatus::failed; }

Value if_solved(Record r, auto value) { return solved(r) ? number(value) : std::nullopt; }

Value if_scored(Record r, double FrameScore::*member) {
  return r.score ? number(*r.score.*member) : std::nullopt;
}

Value if_labelled(Record r, double FrameScore::Labels::*member) {
  return r.score && r.score->labels ? number(*r.score->labels.*member) : std::nullopt;
}

Value if_known(Record r, const std::optional<Interval>& interval, double Interval::*end) {
  return solved(r) && interval ? number(*interval.*end) : std::nullopt;
}

Value if_relief(Record r, double FrameRelief::*member) {
  return solved(r) && r.relief ? number(*r.relief.*member) : std::nullopt;
}

template <std::size_t place>
Value road_width_m(Record r) {
  const auto& width = r.road_width[place];
  return solved(r) && width ? number(width->width_m) : std::nullopt;
}

template <std::size_t place>
Value road_width_spread_m(Record r) {
  const auto& width = r.road_width[place];
  return solved(r) && width ? number(width->spread_m) : std::nullopt;
}

/// Up to where a number may be off.
Value half_width(Record r, const std::optional<Interval>& interval) {
  return solved(r) && interval ? number((interval->high - interval->low) / 2) : std::nullopt;
}

Value unless_empty(const std::string& text) { return text.empty() ? Value() : Value(text); }

/// In the sensor's frame; the record's own plane is in the file's.
Plane seen_by_sensor(Record r) { return Plane::from_hyperplane(r.w).value_or(Plane{}); }

double tilt_deg(const Plane& plane) {
  const double across = std::hypot(plane.normal.x(), plane.normal.y());
  return std::atan2(across, plane.normal.z()) * 180 / std::numbers::pi;
}

using Score = FrameScore;
using Labels = FrameScore::Labels;

constexpr Metric kMetrics[] = {
    // Identity.
    {"sequence", "sequence", "", kText, "", [](Record r) { return Value(r.sequence); }},
    {"frame", "number", "", kInteger, "in the sequence", [](Record r) { return number(r.frame); }},
    {"name", "frame", "", kText, "sequence and number", [](Record r) { return Value(r.name); }},

    // Status.
    {"status", "status", "", kText, "whether the frame can be relied on",
     [](Record r) { return Value(to_string(r.status)); }},
    {"termination", "termination", "", kText, "how the solve ended",
     [](Record r) { return Value(r.termination); }},
    derived({"ended", "ended", "", kText, "how the solve ended",
             [](Record r) { return Value(solved(r) ? r.termination : "failed"); }}),
    {"began", "began", "", kText, "where a track's solve began: found, tracked or lost",
     [](Record r) { return unless_empty(r.began); }},

    // Plane.
    {"height_m", "height", "m", fixed(3), "of the sensor above the road",
     [](Record r) { return if_solved(r, seen_by_sensor(r).offset_m); }},
    {"height_m_95.0", "height from", "m", fixed(3), "lower end of the 95 % interval",
     [](Record r) { return if_known(r, r.height_m_95, &Interval::low); }},
    {"height_m_95.1", "height to", "m", fixed(3), "upper end of the 95 % interval",
     [](Record r) { return if_known(r, r.height_m_95, &Interval::high); }},
    derived({"height_half_m", "height +-", "m", fixed(3), "half the 95 % interval",
             [](Record r) { return half_width(r, r.height_m_95); }}),
    {"tilt_deg", "tilt", "deg", fixed(2), "between the road's normal and the sensor's z",
     [](Record r) { return if_solved(r, tilt_deg(seen_by_sensor(r))); }},
    derived({"tilt_half_deg", "tilt +-", "deg", fixed(2), "half the 95 % interval",
             [](Record r) { return half_width(r, r.tilt_deg_95); }}),
    {"tilt_deg_95.0", "tilt from", "deg", fixed(2), "lower end of the 95 % interval",
     [](Record r) { return if_known(r, r.tilt_deg_95, &Interval::low); }},
    {"tilt_deg_95.1", "tilt to", "deg", fixed(2), "upper end of the 95 % interval",
     [](Record r) { return if_known(r, r.tilt_deg_95, &Interval::high); }},
    derived({"roll_deg", "roll", "deg", fixed(2), "turned about x by it, ...",
             [](Record r) { return if_solved(r, roll_deg(seen_by_sensor(r))); }}),
    derived({"pitch_deg", "pitch", "deg", fixed(2),
             "... and then about y by it, the sensor is level with the road",
             [](Record r) { return if_solved(r, pitch_deg(seen_by_sensor(r))); }}),
    {"plane.frame", "frame of the plane", "", kText, "whose axes the plane is in",
     [](Record r) { return solved(r) ? Value("file") : Value(); }},
    {"sensor_origin", "sensor's origin", "", kText, "that of the file, or given by an option",
     [](Record r) { return solved(r) ? Value(r.sensor_origin) : Value(); }},
    {"plane.offset_m", "offset", "m", fixed(3), "of the origin above the road",
     [](Record r) { return if_solved(r, r.plane.offset_m); }},
    {"plane.normal.0", "normal x", "", fixed(4), "of the road, unit length",
     [](Record r) { return if_solved(r, r.plane.normal.x()); }},
    {"plane.normal.1", "normal y", "", fixed(4), "of the road, unit length",
     [](Record r) { return if_solved(r, r.plane.normal.y()); }},
    {"plane.normal.2", "normal z", "", fixed(4), "of the road, unit length",
     [](Record r) { return if_solved(r, r.plane.normal.z()); }},
    {"w.0", "w x", "", fixed(4), "the hyperplane in the sensor's frame",
     [](Record r) { return if_solved(r, r.w(0)); }},
    {"w.1", "w y", "", fixed(4), "the hyperplane", [](Record r) { return if_solved(r, r.w(1)); }},
    {"w.2", "w z", "", fixed(4), "the hyperplane", [](Record r) { return if_solved(r, r.w(2)); }},
    {"w.3", "w 1", "", fixed(4), "the hyperplane", [](Record r) { return if_solved(r, r.w(3)); }},
    {"target", "target", "", kText, "what the labels mean",
     [](Record r) { return solved(r) ? Value(r.target) : Value(); }},
    {"relief.low_m", "lowest", "m", fixed(2), "ground over the plane",
     [](Record r) { return if_relief(r, &FrameRelief::low_m); }},
    {"relief.high_m", "highest", "m", fixed(2), "ground over the plane",
     [](Record r) { return if_relief(r, &FrameRelief::high_m); }},
    {"relief.roughness_m", "roughness", "m", fixed(3), "of the ground within a cell",
     [](Record r) { return if_relief(r, &FrameRelief::roughness_m); }},
    {"road_width.ahead_5.m", "width 5 m ahead", "m", fixed(2), "of the road, edge to edge",
     road_width_m<0>},
    {"road_width.ahead_5.spread_m", "+- 5 m ahead", "m", fixed(2),
     "standard deviation of that width", road_width_spread_m<0>},
    {"road_width.ahead_10.m", "width 10 m ahead", "m", fixed(2), "of the road, edge to edge",
     road_width_m<1>},
    {"road_width.ahead_10.spread_m", "+- 10 m ahead", "m", fixed(2),
     "standard deviation of that width", road_width_spread_m<1>},
    {"road_width.ahead_20.m", "width 20 m ahead", "m", fixed(2), "of the road, edge to edge",
     road_width_m<2>},
    {"road_width.ahead_20.spread_m", "+- 20 m ahead", "m", fixed(2),
     "standard deviation of that width", road_width_spread_m<2>},
    {"road_width.behind_5.m", "width 5 m behind", "m", fixed(2), "of the road, edge to edge",
     road_width_m<3>},
    {"road_width.behind_5.spread_m", "+- 5 m behind", "m", fixed(2),
     "standard deviation of that width", road_width_spread_m<3>},
    {"road_width.behind_10.m", "width 10 m behind", "m", fixed(2), "of the road, edge to edge",
     road_width_m<4>},
    {"road_width.behind_10.spread_m", "+- 10 m behind", "m", fixed(2),
     "standard deviation of that width", road_width_spread_m<4>},
    {"road_width.behind_20.m", "width 20 m behind", "m", fixed(2), "of the road, edge to edge",
     road_width_m<5>},
    {"road_width.behind_20.spread_m", "+- 20 m behind", "m", fixed(2),
     "standard deviation of that width", road_width_spread_m<5>},
    {"threshold", "threshold", "", kText, "of the labels",
     [](Record r) { return solved(r) ? Value(r.threshold) : Value(); }},
    {"threshold_value", "threshold used", "", fixed(4), "of the labels, in rad or m",
     [](Record r) { return if_solved(r, r.threshold_value); }},

    // Counts.
    {"points", "points", "", kInteger, "of the scan", [](Record r) { return number(r.points); }},
    {"inliers", "labelled", "", kInteger, "points labelled as the target",
     [](Record r) { return if_solved(r, r.inliers); }},
    derived({"road_share", "labelled", "%", fixed(1),
             "of the scan's points are labelled as the target",
             [](Record r) {
               const double share = static_cast<double>(r.inliers) / static_cast<double>(r.points);
               return r.points > 0 ? if_solved(r, 100 * share) : std::nullopt;
             }}),

    // Quality.
    {"truth", "truth", "", kText, "what the frame was scored against; a reference is an estimate",
     [](Record r) { return r.score ? Value(r.score->truth) : Value(); }},
    {"recovery_error", "recovery error", "", scientific(2),
     "sine of the angle between the found hyperplane and the true one",
     [](Record r) { return if_scored(r, &Score::recovery_error); }},
    of_agents({"recovery_error_worst_agent", "worst agent", "", scientific(2),
               "recovery error of the agent that is farthest off",
               [](Record r) { return if_scored(r, &Score::recovery_error_worst_agent); }}),
    {"angle_deg", "angle", "deg", fixed(3), "between the normals",
     [](Record r) { return if_scored(r, &Score::angle_deg); }},
    {"height_error_m", "height error", "m", fixed(3), "of the sensor above the road",
     [](Record r) { return if_scored(r, &Score::height_error_m); }},
    {"scoring", "scoring", "", kText, "which points the labels' score counts, and as what",
     [](Record r) {
       return r.score && r.score->labels ? Value(r.score->labels->scoring) : Value();
     }},
    of_labels({"precision", "precision", "", fixed(3), "of the labels",
               [](Record r) { return if_labelled(r, &Labels::precision); }}),
    of_labels({"recall", "recall", "", fixed(3), "of the labels",
               [](Record r) { return if_labelled(r, &Labels::recall); }}),
    of_labels({"f1", "F1", "", fixed(3), "of the labels",
               [](Record r) { return if_labelled(r, &Labels::f1); }}),
    of_labels({"iou", "IoU", "", fixed(3), "of the labels",
               [](Record r) { return if_labelled(r, &Labels::iou); }}),
    of_labels({"accuracy", "accuracy", "", fixed(3), "of the labels",
               [](Record r) { return if_labelled(r, &Labels::accuracy); }}),
    of_labels({"auc", "AUC", "", fixed(3), "of the points' residuals",
               [](Record r) { return if_labelled(r, &Labels::auc); }}),
    of_labels({"best_f1", "best F1", "", fixed(3), "at the best possible threshold",
               [](Record r) { return if_labelled(r, &Labels::best_f1); }}),
    of_agents({"stationarity_gap", "StaGap", "", scientific(1),
               "how far the agents are from a stationary point",
               [](Record r) { return if_solved(r, r.gap.total()); }}),
    of_agents({"stationarity.gradient", "gradient", "", scientific(1), "part of StaGap",
               [](Record r) { return if_solved(r, r.gap.gradient); }}),
    of_agents({"stationarity.consensus", "consensus", "", scientific(1), "part of StaGap",
               [](Record r) { return if_solved(r, r.gap.consensus); }}),
    of_agents({"stationarity.feasibility", "feasibility", "", scientific(1), "part of StaGap",
               [](Record r) { return if_solved(r, r.gap.feasibility); }}),
    of_agents({"minimiser_distance", "from minimiser", "", scientific(1),
               "of the worst agent, from the minimiser that lies nearest: an observation",
               [](Record r) {
                 return r.minimiser_distance ? if_solved(r, *r.minimiser_distance) : std::nullopt;
               }}),
    of_agents({"consensus_error", "consensus", "", scientific(1),
               "largest distance of an agent's hyperplane from the mean",
               [](Record r) { return if_solved(r, r.consensus_error); }}),

    // Cost.
    {"step", "step", "", kSignificant3, "of the solver",
     [](Record r) { return if_solved(r, r.step); }},
    {"step_halvings", "halvings", "", kInteger, "of the step after leaving the safe region",
     [](Record r) { return if_solved(r, r.step_halvings); }},
    {"iterations", "iterations", "", kInteger, "of the solver",
     [](Record r) { return if_solved(r, r.iterations); }},
    of_agents({"rounds", "rounds", "", kInteger, "of communication",
               [](Record r) { return if_solved(r, r.rounds); }}),
    of_agents({"messages", "messages", "", kInteger, "between all agents",
               [](Record r) { return if_solved(r, r.messages); }}),
    of_agents({"messages_per_link", "messages per link", "", kInteger,
               "in each direction: what an agent waits for",
               [](Record r) { return if_solved(r, r.messages_per_link); }}),
    of_agents({"bytes_per_agent", "bytes per agent", "", kSignificant3,
               "sent by an agent, on average",
               [](Record r) { return if_solved(r, r.bytes_per_agent); }}),
    of_agents(derived({"sent_kb", "sent", "kB", fixed(1), "by an agent, on average",
                       [](Record r) { return if_solved(r, r.bytes_per_agent / 1e3); }})),
    of_agents({"bytes_scan_per_agent", "scan bytes per agent", "", kSignificant3,
               "what shipping its points would take",
               [](Record r) { return if_solved(r, r.bytes_scan_per_agent); }}),
    of_agents({"samples", "samples", "", kSignificant3, "component gradients per agent",
               [](Record r) { return if_solved(r, r.samples); }}),

    // Times, of failed frames too.
    {"ms.load", "load", "ms", fixed(2), "reading the scan and dividing it into shards",
     [](Record r) { return number(r.ms.load); }},
    {"ms.start", "start", "ms", fixed(2),
     "what comes before the first iteration: common start and coordinates",
     [](Record r) { return number(r.ms.start); }},
    {"ms.solve", "solve", "ms", fixed(2), "iterating", [](Record r) { return number(r.ms.solve); }},
    {"ms.label", "label", "ms", fixed(2), "residuals, threshold, labels",
     [](Record r) { return number(r.ms.label); }},
    {"ms.draw", "draw", "ms", fixed(2), "pictures and clouds, encoded and written",
     [](Record r) { return number(r.ms.draw); }},
    derived({"ms", "", "ms", fixed(2), "from the shards to the plane",
             [](Record r) { return number(r.ms.start + r.ms.solve); }}),

    // Notes.
    {"note", "scene", "", kText, "what is out of the ordinary about it",
     [](Record r) { return solved(r) ? unless_empty(r.note) : Value(); }},
    {"error", "error", "", kText, "what went wrong",
     [](Record r) { return unless_empty(r.error); }},
    derived({"remark", "note", "", kText, "what went wrong or is out of the ordinary",
             [](Record r) {
               if (!solved(r)) return unless_empty(r.error);
               const bool both = !r.error.empty() && !r.note.empty();
               return unless_empty(both ? r.note + "; " + r.error : r.note + r.error);
             }}),
};

std::string text_of_number(const MetricFormat& format, double number) {
  switch (format.form) {
    case Form::fixed:
      return fmt::format("{:.{}f}", number, format.digits);
    case Form::scientific:
      return fmt::format("{:.{}e}", number, format.digits);
    case Form::significant:
      return fmt::format("{:.{}g}", number, format.digits);
    default:
      return fmt::format("{:.0f}", number);
  }
}

}  // namespace

std::string Metric::heading() const {
  return fmt::format("{}{}{}", title, title.empty() || unit.empty() ? "" : " ", unit);
}

std::string Metric::heading_under(const std::string& scoring) const {
  return of_labels && !scoring.empty() ? heading() + " " + scoring : heading();
}

std::string_view Metric::short_key() const { return key.substr(key.rfind('.') + 1); }

std::optional<MetricValue> Metric::shown(const FrameRecord& record) const {
  if (unit == "ms" && !solved(record)) return std::nullopt;
  return value(record);
}

std::string Metric::text(const std::optional<MetricValue>& found) const {
  if (!found) return "-";
  if (const auto* text = std::get_if<std::string>(&*found)) return *text;
  if (const auto* count = std::get_if<std::int64_t>(&*found)) {
    return text_of_number(format, static_cast<double>(*count));
  }
  return text_of_number(format, std::get<double>(*found));
}

std::optional<double> Metric::number(const FrameRecord& record) const {
  const auto found = shown(record);
  if (!found || std::holds_alternative<std::string>(*found)) return std::nullopt;
  if (const auto* count = std::get_if<std::int64_t>(&*found)) return static_cast<double>(*count);
  return std::get<double>(*found);
}

std::string scoring_of(std::span<const FrameRecord* const> records) {
  std::set<std::string> scorings;
  for (const FrameRecord* record : records) {
    if (record->score && record->score->labels) scorings.insert(record->score->labels->scoring);
  }
  return fmt::format("{}", fmt::join(scorings, "/"));
}

std::span<const Metric> metrics() { return kMetrics; }

const Metric& metric(std::string_view key) {
  const auto* found = std::find_if(std::begin(kMetrics), std::end(kMetrics),
                                   [&](const Metric& m) { return m.key == key; });
  if (found == std::end(kMetrics)) throw std::invalid_argument("no metric " + std::string(key));
  return *found;
}

}  // namespace roadplane
