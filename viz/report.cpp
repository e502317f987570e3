#include "roadplane/viz/report.hpp"

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "base64.hpp"
#include "report_assets.hpp"
#include "road_lines.hpp"
#include "roadplane/viz/palette.hpp"

namespace roadplane::viz {
namespace {

using nlohmann::json;

template <class T>
std::string base64_of(const std::vector<T>& values) {
  return base64(std::as_bytes(std::span(values)));
}

json to_json(const Report::Cell& cell) {
  return std::visit(
      [](const auto& value) -> json {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
          return nullptr;
        else
          return value;  // infinite and NaN become null, too
      },
      cell);
}

const char* to_string(Report::Column::Form form) {
  switch (form) {
    case Report::Column::Form::text:
      return "text";
    case Report::Column::Form::integer:
      return "integer";
    case Report::Column::Form::fixed:
      return "fixed";
    case Report::Column::Form::scientific:
      break;
  }
  return "scientific";
}

json to_json(const Report::Table& table) {
  json columns = json::array();
  for (const auto& c : table.columns) {
    columns.push_back({{"name", c.name},
                       {"hint", c.hint},
                       {"form", to_string(c.form)},
                       {"digits", c.digits},
                       {"half", c.half}});
  }
  json rows = json::array();
  for (const auto& row : table.rows) {
    json cells = json::array();
    for (const auto& cell : row.cells) cells.push_back(to_json(cell));
    rows.push_back(
        {{"frame", row.frame}, {"method", row.method}, {"cells", cells}, {"mark", row.mark}});
  }
  return {{"title", table.title}, {"columns", columns}, {"rows", rows}, {"lead", table.lead}};
}

json to_json(const ReportCloud& cloud) {
  json j = {{"of", cloud.of},
            {"points", cloud.points},
            {"quantum", cloud.quantum_m},
            {"xyz", base64_of(cloud.xyz)},
            {"road", base64_of(cloud.road)}};
  if (!cloud.truth.empty()) j["truth"] = base64_of(cloud.truth);
  if (!cloud.agents.empty()) j["agent"] = base64_of(cloud.agents);
  if (!cloud.height_cm.empty()) j["height"] = base64_of(cloud.height_cm);
  return j;
}

/// To six digits: more cannot be seen, and each would be a byte. What is not finite becomes null.
json drawn(const std::vector<double>& values) {
  json result = json::array();
  for (const double value : values) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.6g", value);
    result.push_back(std::strtod(text, nullptr));
  }
  return result;
}

json to_json(const Report::Curve& curve) {
  json columns = json::object();
  for (const auto& [name, values] : curve.columns) columns[name] = drawn(values);
  return {{"name", curve.method}, {"columns", columns}};
}

/// What may be in a file of its own.
json contents_of(const Report::Frame& frame) {
  json pictures = json::array(), planes = json::array(), curves = json::array();
  for (const auto& picture : frame.pictures) {
    const auto key = picture.colors ? json(to_string(*picture.colors)) : json();
    pictures.push_back({{"name", picture.name}, {"key", key}, {"jpeg", base64_of(picture.jpeg)}});
  }
  for (const auto& [method, plane] : frame.planes) {
    const auto& n = plane.normal;
    planes.push_back(
        {{"method", method}, {"normal", {n.x(), n.y(), n.z()}}, {"offset", plane.offset_m}});
  }
  for (const auto& curve : frame.curves) curves.push_back(to_json(curve));
  json j = {{"pictures", pictures}, {"planes", planes}, {"curves", curves}};
  if (frame.cloud) j["cloud"] = to_json(*frame.cloud);
  if (frame.road) {
    j["road"] = {{"edges", base64_of(frame.road->edges)},
                 {"hidden", base64_of(frame.road->hidden)}};
  }
  if (!frame.photo.empty()) j["photo"] = base64_of(frame.photo);
  return j;
}

json to_json(const Report::Frame& frame) {
  json j = contents_of(frame);
  j["name"] = frame.name;
  j["note"] = frame.note;
  if (!frame.thumbnail.empty()) j["thumbnail"] = base64_of(frame.thumbnail);
  if (!frame.file.empty()) j["file"] = frame.file;
  return j;
}

json to_json(Color color) { return {color.r, color.g, color.b}; }

/// The pictures' own colours, so that a colour means the same in the 3-D view.
void add_colors(const Report& report, json& j) {
  const std::vector<std::uint16_t> owners{Palette::kAgentColors - 1};
  std::vector<std::uint8_t> truth;
  for (const Report::Frame& frame : report.frames) {
    if (frame.cloud)
      truth.insert(truth.end(), frame.cloud->truth.begin(), frame.cloud->truth.end());
    truth.insert(truth.end(), frame.truths.begin(), frame.truths.end());
  }
  for (const auto style : {OverlayStyle::labels, OverlayStyle::truth, OverlayStyle::agents}) {
    const Palette palette(style);
    const std::string name(to_string(style));
    for (const auto& look : palette.looks()) j["palettes"][name].push_back(to_json(look.color));
    for (const KeyEntry& entry : palette.key({{}, {}, truth, owners, {}, report.surface})) {
      j["keys"][name].push_back({to_json(entry.color), entry.text});
    }
  }
}

/// As text that may stand inside a <script>: no '<' is left, so nothing in it can end or nest one.
std::string script_text(const json& data) {
  const std::string text = data.dump(-1, ' ', false, json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  }
  return safe;
}

/// The template with its places filled; what is filled in is not searched for places.
std::string filled(std::string_view page,
                   const std::map<std::string_view, std::string_view>& parts) {
  std::string result;
  for (std::size_t begin = page.find("{{"); begin != page.npos; begin = page.find("{{")) {
    const std::size_t end = page.find("}}", begin);
    result += page.substr(0, begin);
    result += parts.at(page.substr(begin + 2, end - begin - 2));
    page.remove_prefix(end + 2);
  }
  return result += page;
}

}  // namespace

std::string frame_script(const Report::Frame& frame, std::size_t index) {
  return "roadplaneFrame(" + std::to_string(index) + ", " + script_text(contents_of(frame)) +
         ");\n";
}

std::string report_html(const Report& report) {
  json j = {
      {"title", report.title},   {"subtitle", report.subtitle},    {"origin", report.origin},
      {"notes", report.notes},   {"facts", report.facts},          {"command", report.command},
      {"config", report.config}, {"remarks", report.remarks},      {"tables", json::array()},
      {"frames", json::array()}, {"traceAxes", Report::kTraceAxes}};
  for (const auto& table : report.tables) j["tables"].push_back(to_json(table));
  for (const auto& frame : report.frames) j["frames"].push_back(to_json(frame));
  add_colors(report, j);
  j["roadColours"] = {{"edge", to_json(kEdge)}, {"hidden", to_json(kHidden)}};
  j["roadKey"] = {{to_json(kEdge), "edge of the road"}, {to_json(kHidden), "hidden ground"}};
  const std::string data = script_text(j);
  return filled(assets::page(), {{"style", assets::style()},
                                 {"data", data},
                                 {"three", assets::three()},
                                 {"orbit", assets::orbit()},
                                 {"chart", assets::chart()},
                                 {"script", assets::script()}});
}

}  // namespace roadplane::viz
