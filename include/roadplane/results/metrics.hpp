#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "roadplane/results/frame_record.hpp"

namespace roadplane {

using MetricValue = std::variant<double, std::int64_t, std::string>;

/// How a value is written where people read it.
struct MetricFormat {
  enum class Form { text, integer, fixed, scientific, significant };
  Form form = Form::text;
  int digits = 0;  ///< behind the point; of `significant` altogether
};

/// One thing that is known of a frame. Records, tables, comparisons and reports all have it from
/// metrics(): one line there is all that a new one takes.
struct Metric {
  std::string_view key;    ///< its place in a record, and its column of CSV: "plane.offset_m"
  std::string_view title;  ///< over a column
  std::string_view unit;   ///< empty if it has none
  MetricFormat format;
  std::string_view hint;                                    ///< what it means, in half a sentence
  std::optional<MetricValue> (*value)(const FrameRecord&);  ///< nothing where a frame has none
  bool recorded = true;    ///< false: shown only, since it follows from the others
  bool of_agents = false;  ///< a centralised method has none
  bool of_labels = false;  ///< depends on the scoring

  /// "height m"
  std::string heading() const;
  /// "F1 strict": over a column of numbers that depend on the scoring, where no other names it.
  std::string heading_under(const std::string& scoring) const;
  /// What follows the key's last dot: "solve" of "ms.solve".
  std::string_view short_key() const;
  /// As tables show it: a failed frame's times are recorded, but mean nothing beside the others'.
  std::optional<MetricValue> shown(const FrameRecord& record) const;
  std::string text(const std::optional<MetricValue>& found) const;  ///< "-" for nothing
  /// What is shown, if that is a number.
  std::optional<double> number(const FrameRecord& record) const;
};

/// The scoring of the records' labels, "strict/patchwork" if there are several; empty for none.
std::string scoring_of(std::span<const FrameRecord* const> records);

/// All of them: identity, status, plane, counts, quality, cost, times, notes.
std::span<const Metric> metrics();
/// Throws std::invalid_argument if there is none of that key.
const Metric& metric(std::string_view key);

}  // namespace roadplane
