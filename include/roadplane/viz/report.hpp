#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "roadplane/geometry/plane.hpp"
#include "roadplane/viz/report_cloud.hpp"

namespace roadplane::viz {

/// What a report's page shows, as plain data. All texts are taken as they are: whatever they hold,
/// it is shown and never becomes part of the page's code.
struct Report {
  /// Nothing (shown as a dash), a number or a text.
  using Cell = std::variant<std::monostate, double, std::string>;

  struct Column {
    enum class Form { text, integer, fixed, scientific };
    std::string name;
    std::string hint;  ///< what it means, shown when pointed at
    Form form = Form::text;
    int digits = 0;      ///< behind the point
    std::string half{};  ///< the column with half its 95 % interval; empty if there is none
  };
  struct Row {
    std::string frame;   ///< which frame a click shows; empty if none
    std::string method;  ///< whose line in the curves over the frames; empty if there is one only
    std::vector<Cell> cells;
    std::string mark{};  ///< "suspect", "failed", ...; empty if all is well
  };
  struct Table {
    std::string title;
    std::vector<Column> columns;
    std::vector<Row> rows;
    std::string lead;  ///< the column that the curves over the frames begin with
  };

  struct Picture {
    std::string name;                    ///< "camera", "labels", ...
    std::optional<OverlayStyle> colors;  ///< what is painted on it, for the key
    std::vector<std::uint8_t> jpeg;
  };
  struct MethodPlane {
    std::string method;
    Plane plane;
  };
  struct Curve {
    std::string method;
    std::map<std::string, std::vector<double>>
        columns;  ///< equally long; see kTraceAxes. NaN: none
  };
  /// Lines and triangles in the sensor's frame, x y z after each other.
  struct ReportRoad {
    std::vector<float> edges;   ///< two points a line
    std::vector<float> hidden;  ///< three corners a triangle: ground behind something
  };
  struct Frame {
    std::string name;
    std::string note;                  ///< one sentence, e.g. on what is missing
    std::vector<Picture> pictures;     ///< of one size; the first two are shown at first
    std::vector<MethodPlane> planes;   ///< one a method
    std::optional<ReportCloud> cloud;  ///< its labels are those of `planes`, in that order
    std::vector<Curve> curves;
    std::optional<ReportRoad> road{};       ///< for the 3-D view
    std::vector<std::uint8_t> photo{};      ///< a JPEG, where nothing can be painted on it
    std::vector<std::uint8_t> thumbnail{};  ///< a small JPEG for the table
    /// Where the pictures, the cloud and the curves are if not here: frame_script()'s text, at a
    /// path relative to the page's.
    std::string file{};
    std::vector<std::uint8_t> truths{};  ///< of a cloud in `file`: the values of its truth
  };
  /// Columns of a curve that can be its x-axis, in the order in which they are offered.
  static constexpr const char* kTraceAxes[] = {"rounds", "messages", "samples", "seconds",
                                               "iteration"};

  std::string title;
  std::string subtitle;
  std::string surface = "road";                             ///< what the labelled points are
  std::string origin;                                       ///< who made the page, and when
  std::vector<std::string> notes;                           ///< what the reader must know first
  std::vector<std::pair<std::string, std::string>> facts;   ///< the few numbers on top
  std::string command;                                      ///< the command line; may be empty
  std::vector<std::pair<std::string, std::string>> config;  ///< name and value
  std::vector<Table> tables;
  std::vector<std::string> remarks;  ///< below the tables: what they rest on and what they say
  std::vector<Frame> frames;
};

/// The report as one HTML file: libraries, pictures and clouds are inside, but for those of frames
/// that have a `file`.
std::string report_html(const Report& report);

Report::ReportRoad report_road(const SeenRoad& view);

/// What a frame's `file` holds: its pictures, cloud and curves. `index` is its place in the report.
std::string frame_script(const Report::Frame& frame, std::size_t index);

}  // namespace roadplane::viz
