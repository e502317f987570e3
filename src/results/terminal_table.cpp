// The tables of records that a terminal shows.

#include <fmt/format.h>

#include <algorithm>

#include "roadplane/base/words.hpp"
#include "roadplane/evaluation/statistics.hpp"
#include "roadplane/results/metrics.hpp"
#include "roadplane/results/tables.hpp"

namespace roadplane {
namespace {

using Row = std::vector<std::string>;

/// The higher the rank of a column, the sooner it goes where lines are short; 0 stays.
struct Column {
  const char* key;
  int rank = 0;
  bool of_truth = false;
  const char* short_heading = "";  ///< where lines are short
};

constexpr Column kColumns[] = {{"name"},
                               {"status"},
                               {"points", 4},
                               {"road_share"},
                               {"height_m"},
                               {"height_half_m", 1},
                               {"tilt_deg"},
                               {"tilt_half_deg", 1},
                               {"recovery_error", 0, true, "error"},
                               {"recovery_error_worst_agent", 6, true},
                               {"angle_deg", 4, true},
                               {"height_error_m", 3, true},
                               {"f1", 0, true},
                               {"scoring", 5, true},
                               {"remark", 2}};
constexpr int kHighestRank = 6;
constexpr std::size_t kNarrowestNote = 24;  // [characters] less of a note says nothing
constexpr std::size_t kNarrowestName = 16;  // [characters]

bool is_text(const Column& column) {
  return metric(column.key).format.form == MetricFormat::Form::text;
}

using Columns = std::vector<Column>;

/// Errors only where there is something to be wrong against.
Columns columns_of(std::span<const FrameRecord> records) {
  const bool any_truth = std::any_of(records.begin(), records.end(),
                                     [](const FrameRecord& r) { return r.score.has_value(); });
  Columns columns(std::begin(kColumns), std::end(kColumns));
  std::erase_if(columns, [&](const Column& c) { return c.of_truth && !any_truth; });
  return columns;
}

std::vector<Row> rows_of(const Columns& columns, std::span<const FrameRecord> records, bool brief) {
  std::vector<Row> rows(1);
  for (const Column& c : columns) {
    const std::string heading = brief ? c.short_heading : "";
    rows[0].push_back(heading.empty() ? metric(c.key).heading() : heading);
  }
  for (const FrameRecord& record : records) {
    rows.emplace_back();
    for (const Column& c : columns) {
      rows.back().push_back(metric(c.key).text(metric(c.key).shown(record)));
    }
  }
  return rows;
}

std::size_t width_of(const std::vector<Row>& rows, std::size_t column) {
  std::size_t width = 0;
  for (const Row& row : rows) width = std::max(width, shown_width(terminal_text(row[column])));
  return width;
}

/// Of the columns together, the last one taken as `last` wide.
std::size_t width_of(const std::vector<Row>& rows, std::size_t columns, std::size_t last) {
  std::size_t width = last;
  for (std::size_t k = 0; k + 1 < columns; ++k) width += width_of(rows, k) + 2;
  return width;
}

/// As many columns as a line has room for. The note takes what the others leave.
Columns that_fit(Columns columns, std::span<const FrameRecord> records, std::size_t width) {
  for (int rank = kHighestRank; rank > 0; --rank) {
    const bool note = std::string_view(columns.back().key) == "remark";
    const auto rows = rows_of(columns, records, true);
    const std::size_t last = note ? std::min(kNarrowestNote, width_of(rows, columns.size() - 1))
                                  : width_of(rows, columns.size() - 1);
    if (width_of(rows, columns.size(), last) <= width) break;
    std::erase_if(columns, [rank](const Column& c) { return c.rank == rank; });
  }
  return columns;
}

/// Names and notes cut where the lines are still too long.
std::vector<Row> fitted(std::vector<Row> rows, const Columns& columns, std::size_t width) {
  const std::size_t last = columns.size() - 1;
  const bool note = std::string_view(columns.back().key) == "remark";
  std::size_t total = width_of(rows, columns.size(), note ? 0 : width_of(rows, last));
  if (!note && total > width) {
    const std::size_t name = width_of(rows, 0);
    const std::size_t room = name - std::min(name, total - width);
    for (Row& row : rows) row[0] = end_of(row[0], std::max(room, kNarrowestName));
  }
  for (Row& row : rows) {
    if (note && total < width) row[last] = beginning_of(row[last], width - total);
  }
  return rows;
}

const char* colour_of(FrameStatus status) {
  if (status == FrameStatus::ok) return "\x1b[32m";                // green
  return status == FrameStatus::failed ? "\x1b[31m" : "\x1b[33m";  // red, yellow
}

/// The frames of a status, as "3 failed"; none for none.
std::string count_text(std::span<const FrameRecord> records, FrameStatus status,
                       const TextLayout& layout) {
  const auto count = std::count_if(records.begin(), records.end(),
                                   [&](const FrameRecord& r) { return r.status == status; });
  if (count == 0 && status != FrameStatus::ok) return "";
  return coloured(status, fmt::format("{} {}", count, to_string(status)), layout);
}

std::string median_text(std::span<const FrameRecord> records, const char* key) {
  std::vector<double> values;
  for (const FrameRecord& record : records) {
    if (record.status == FrameStatus::failed) continue;
    if (const auto value = metric(key).number(record)) values.push_back(*value);
  }
  const auto spread = spread_of(std::move(values));
  return spread ? metric(key).text(spread->median) : "";
}

/// How the frames of a track began; nothing without one.
std::string track_text(std::span<const FrameRecord> records) {
  const auto count = [&](const char* began) {
    return std::count_if(records.begin(), records.end(),
                         [&](const FrameRecord& r) { return r.began == began; });
  };
  const auto tracked = count("tracked");
  const auto lost = count("lost");
  if (tracked + lost + count("found") == 0) return "";
  return fmt::format("; {} tracked, {} lost", tracked, lost);
}

}  // namespace

std::string coloured(FrameStatus status, const std::string& text, const TextLayout& layout) {
  return layout.colour ? colour_of(status) + text + "\x1b[0m" : text;
}

std::string records_text(std::span<const FrameRecord> records, std::size_t most,
                         const TextLayout& layout) {
  const auto shown = records.first(std::min(most, records.size()));
  Columns columns = columns_of(records);
  const bool brief = layout.width > 0;
  if (brief) columns = that_fit(std::move(columns), shown, layout.width);
  std::vector<Row> rows = rows_of(columns, shown, brief);
  if (brief) rows = fitted(std::move(rows), columns, layout.width);
  std::vector<bool> texts;
  for (const Column& c : columns) texts.push_back(is_text(c));
  constexpr std::size_t kStatus = 1;
  std::string text = aligned_text(rows, texts, [&](std::size_t row, std::size_t column) {
    const bool status = layout.colour && row > 0 && column == kStatus;
    return status ? colour_of(shown[row - 1].status) : nullptr;
  });
  if (records.size() > most) text += fmt::format("... and {} more\n", records.size() - most);
  return text;
}

std::string records_line(std::span<const FrameRecord> records, const TextLayout& layout) {
  std::string text = fmt::format("{} frame{}: ", records.size(), records.size() == 1 ? "" : "s");
  std::string between;
  for (const FrameStatus status :
       {FrameStatus::ok, FrameStatus::incomplete, FrameStatus::suspect, FrameStatus::failed}) {
    const std::string count = count_text(records, status, layout);
    if (count.empty()) continue;
    text += between + count;
    between = ", ";
  }
  const std::string error = median_text(records, "recovery_error");
  const std::string f1 = median_text(records, "f1");
  if (!error.empty()) text += "; median error " + error;
  if (!f1.empty()) text += (error.empty() ? "; median F1 " : ", F1 ") + f1;
  return text + track_text(records);
}

}  // namespace roadplane
