#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "command.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/results/json_text.hpp"
#include "segment_options.hpp"

namespace roadplane::app {
namespace {

struct Info {
  kitti::DataConfig data;
  bool json = false;
};

/// A scan that cannot be read is an answer, too.
struct Points {
  std::size_t count = 0;
  std::string error;
};

Points points_of(const kitti::Frame& frame) {
  try {
    return {kitti::count_points(frame), ""};
  } catch (const InputError& error) {
    return {0, error.what()};
  }
}

std::string count(std::size_t number, const std::string& what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

/// "image, calibration (PATH), label"
std::string contents_of(const kitti::Frame& frame) {
  const std::string contents = frame.contents();
  if (!frame.calibration) return contents;
  return fmt::format("{}; calibration from {}", contents,
                     terminal_text(frame.calibration->path.string()));
}

/// Whether all scans could be read.
bool print_text(const kitti::Dataset& dataset) {
  std::set<std::string> sequences;
  for (const kitti::Frame& frame : dataset.frames) sequences.insert(frame.sequence);
  fmt::print("{}: {}, {} in {}\n\n", terminal_text(dataset.root.string()),
             to_string(dataset.layout), count(dataset.frames.size(), "frame"),
             count(sequences.size(), "sequence"));
  std::size_t width = 5;
  for (const kitti::Frame& frame : dataset.frames) width = std::max(width, frame.name().size());
  fmt::print("{:<{}}  {:>8}  besides the scan\n", "frame", width, "points");
  bool good = true;
  for (const kitti::Frame& frame : dataset.frames) {
    const Points points = points_of(frame);
    good = good && points.error.empty();
    const std::string found =
        points.error.empty() ? std::to_string(points.count) : "bad scan: " + points.error;
    fmt::print("{:<{}}  {:>8}  {}\n", terminal_text(frame.name()), width, terminal_text(found),
               contents_of(frame));
  }
  for (const std::string& remark : dataset.remarks) fmt::print("note: {}\n", terminal_text(remark));
  return good;
}

nlohmann::json to_json(const kitti::Frame& frame) {
  const Points points = points_of(frame);
  nlohmann::json json{{"name", frame.name()},
                      {"sequence", utf8_of_name(frame.sequence)},
                      {"number", frame.number},
                      {"scan", utf8_of_name(frame.scan.string())}};
  if (points.error.empty()) {
    json["points"] = points.count;
  } else {
    json["error"] = points.error;
  }
  const auto add = [&json](const char* key, const std::optional<std::filesystem::path>& path) {
    if (path) json[key] = utf8_of_name(path->string());
  };
  add("image", frame.image);
  add("label", frame.label);
  add("annotation", frame.annotation);
  add("plane_file", frame.plane_file);
  if (frame.calibration) json["calibration"] = frame.calibration->path.string();
  return json;
}

bool print_json(const kitti::Dataset& dataset) {
  nlohmann::json json{{"root", dataset.root.string()},
                      {"layout", to_string(dataset.layout)},
                      {"frames", nlohmann::json::array()},
                      {"notes", dataset.remarks}};
  for (const kitti::Frame& frame : dataset.frames) json["frames"].push_back(to_json(frame));
  fmt::print("{}\n", text_of(json, 1));
  return std::none_of(json["frames"].begin(), json["frames"].end(),
                      [](const auto& frame) { return frame.contains("error"); });
}

int run(const Info& info) {
  if (info.data.paths.empty()) throw FieldError("path", "a folder or a scan", "nothing");
  info.data.validate();
  kitti::Dataset dataset = open_data(info.data);
  dataset.frames = select_frames(info.data, dataset);
  const bool good = info.json ? print_json(dataset) : print_text(dataset);
  return good ? kAllGood : kSomeFramesFailed;
}

}  // namespace

Run add_info(CLI::App& app) {
  app.footer(
      "Prints the layout, a line a frame (its points, and what there is besides the scan) and "
      "what\n"
      "was left out or looked for in vain. A scan that cannot be read: exit code 3.\n"
      "\n"
      "Examples:\n"
      "  roadplane info kitti/2011_09_26\n"
      "  roadplane info odometry --sequence 04 --json\n"
      "  roadplane info nuscenes/samples/LIDAR_TOP");
  auto info = std::make_shared<Info>();
  add_data_options(app, info->data);
  app.add_flag("--json", info->json, "The same for a program");
  return [info](Ranks&) { return run(*info); };
}

}  // namespace roadplane::app
