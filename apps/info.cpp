#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "command.hpp"
#include "info_recording.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/results/json_text.hpp"
#include "roadplane/results/text_layout.hpp"
#include "segment_options.hpp"
#include "terminal.hpp"

namespace roadplane::app {
namespace {

constexpr std::size_t kFewFrames = 10;  // of which each gets a line
constexpr std::size_t kMostLines = 20;  // of bad scans

struct Info {
  kitti::DataConfig data;
  bool each_frame = false;
  bool json = false;
  TextWish text;
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

using Rows = std::vector<std::vector<std::string>>;

/// What there is of a sequence.
struct Sequence {
  std::size_t frames = 0;
  std::size_t fewest_points = 0;
  std::size_t most_points = 0;
  std::map<std::string, std::size_t> contents;  ///< how many frames have it
};

Sequence with(Sequence sum, const kitti::Frame& frame, const Points& points) {
  ++sum.frames;
  for (const std::string& each : split_list(frame.contents())) {
    ++sum.contents[each.substr(each.find_first_not_of(' '))];
  }
  if (!points.error.empty()) return sum;
  const bool first = sum.most_points == 0;
  sum.fewest_points = first ? points.count : std::min(sum.fewest_points, points.count);
  sum.most_points = std::max(sum.most_points, points.count);
  return sum;
}

/// "image, label of 20 frames"
std::string contents_text(const Sequence& sequence) {
  std::string text;
  for (const auto& [what, frames] : sequence.contents) {
    text += (text.empty() ? "" : ", ") + what;
    if (frames < sequence.frames) text += " of " + count(frames, "frame");
  }
  return text;
}

std::string points_text(const Sequence& sequence) {
  const bool alike = sequence.fewest_points == sequence.most_points;
  return alike ? std::to_string(sequence.most_points)
               : fmt::format("{}-{}", sequence.fewest_points, sequence.most_points);
}

std::string sequences_text(const std::map<std::string, Sequence>& sequences,
                           const TextLayout& layout) {
  Rows rows{{"sequence", "frames", "points", "besides the scan"}};
  for (const auto& [name, sequence] : sequences) {
    rows.push_back(
        {name, std::to_string(sequence.frames), points_text(sequence), contents_text(sequence)});
  }
  return aligned_text(std::move(rows), {true, false, false, true}, layout);
}

std::string frames_text(const std::vector<kitti::Frame>& frames, const std::vector<Points>& points,
                        const TextLayout& layout) {
  Rows rows{{"frame", "points", "besides the scan"}};
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const bool good = points[k].error.empty();
    rows.push_back({frames[k].name(), good ? std::to_string(points[k].count) : "bad scan",
                    frames[k].contents()});
  }
  return aligned_text(std::move(rows), {true, false, true}, layout);
}

/// The first scan of each recording that the frames are of.
std::vector<kitti::RecordedScan> first_scans(const kitti::Dataset& dataset) {
  std::vector<kitti::RecordedScan> scans;
  for (const kitti::Frame& frame : dataset.frames) {
    if (!frame.recorded) continue;
    const bool known = !scans.empty() && scans.back().recording == frame.recorded->recording;
    if (!known) scans.push_back(*frame.recorded);
  }
  return scans;
}

/// The places of the calibrations, and what is wrong with scans.
void print_remarks(const kitti::Dataset& dataset, const std::vector<Points>& points) {
  std::set<std::string> calibrations;
  for (const kitti::Frame& frame : dataset.frames) {
    if (frame.calibration) calibrations.insert(frame.calibration->path.string());
  }
  if (!calibrations.empty()) {
    const std::size_t more = calibrations.size() - 1;
    fmt::print("calibration: {}{}\n", terminal_text(*calibrations.begin()),
               more == 0 ? "" : fmt::format(" and {} more", more));
  }
  std::size_t bad = 0;
  for (const Points& each : points) {
    if (each.error.empty()) continue;
    if (++bad <= kMostLines) fmt::print("unreadable: {}\n", terminal_text(each.error));
  }
  if (bad > kMostLines) fmt::print("... and {} more unreadable scans\n", bad - kMostLines);
  for (const std::string& remark : dataset.remarks) fmt::print("note: {}\n", terminal_text(remark));
}

/// Whether all scans could be read.
bool print_text(const kitti::Dataset& dataset, const Info& info) {
  std::vector<Points> points;
  std::map<std::string, Sequence> sequences;
  for (const kitti::Frame& frame : dataset.frames) {
    points.push_back(points_of(frame));
    Sequence& sequence = sequences[utf8_of_name(frame.sequence)];
    sequence = with(std::move(sequence), frame, points.back());
  }
  const TextLayout layout = info.text.layout();
  for (const kitti::RecordedScan& scan : first_scans(dataset)) {
    fmt::print("{}\n", recording_text(*scan.recording, uses_of(scan), layout));
  }
  fmt::print("{}: {}, {} in {}\n\n", terminal_text(dataset.root.string()),
             to_string(dataset.layout), count(dataset.frames.size(), "frame"),
             count(sequences.size(), "sequence"));
  const bool each = info.each_frame || dataset.frames.size() <= kFewFrames;
  fmt::print(
      "{}", each ? frames_text(dataset.frames, points, layout) : sequences_text(sequences, layout));
  print_remarks(dataset, points);
  return std::all_of(points.begin(), points.end(), [](const Points& p) { return p.error.empty(); });
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
  for (const kitti::RecordedScan& scan : first_scans(dataset)) {
    json["recordings"].push_back(recording_json(*scan.recording, uses_of(scan)));
  }
  fmt::print("{}\n", text_of(json, 1));
  return std::none_of(json["frames"].begin(), json["frames"].end(),
                      [](const auto& frame) { return frame.contains("error"); });
}

/// A recording of which it is yet to be said which topic is to be read, or that has none.
void print_undecided(const Info& info) {
  const kitti::Recording recording(info.data.paths.front());
  if (info.json) {
    const nlohmann::json json{
        {"root", utf8_of_name(recording.path().string())},
        {"layout", to_string(kitti::Layout::recording)},
        {"frames", nlohmann::json::array()},
        {"notes", recording.remarks()},
        {"recordings", nlohmann::json::array({recording_json(recording, {})})}};
    fmt::print("{}\n", text_of(json, 1));
    return;
  }
  fmt::print("{}", recording_text(recording, {}, info.text.layout()));
  for (const std::string& remark : recording.remarks()) {
    fmt::print("note: {}\n", terminal_text(remark));
  }
}

int run(const Info& info) {
  if (info.data.paths.empty()) throw FieldError("path", "a folder or a scan", "nothing");
  info.data.validate();
  kitti::Dataset dataset;
  try {
    dataset = open_data(info.data);
  } catch (const InputError& error) {
    const bool recording = info.data.paths.size() == 1 && info.data.topic.empty() &&
                           kitti::is_recording(info.data.paths.front());
    if (!recording) throw;
    print_undecided(info);
    const auto* field = dynamic_cast<const FieldError*>(&error);
    if (field == nullptr || field->field() != "topic") throw;
    return kAllGood;  // the table says which topics there are to choose from
  }
  dataset.frames = select_frames(info.data, dataset);
  const bool good = info.json ? print_json(dataset) : print_text(dataset, info);
  return good ? kAllGood : kSomeFramesFailed;
}

}  // namespace

Run add_info(CLI::App& app) {
  app.footer(
      "Prints the layout, the frames of each sequence, which images, labels and calibrations were\n"
      "found, and what was left out; for a recording its topics and which would be used. Exit\n"
      "code 3 if a scan cannot be read.\n"
      "\n"
      "Examples:\n"
      "  roadplane info kitti/2011_09_26\n"
      "  roadplane info odometry --sequence 04 --frames\n"
      "  roadplane info nuscenes/samples/LIDAR_TOP --json\n"
      "  roadplane info drive.mcap                       topics, rates, frames of reference");
  auto info = std::make_shared<Info>();
  add_data_options(app, info->data);
  app.add_flag("--frames", info->each_frame, "Print a line for each frame (default: for up to 10)");
  app.add_flag("--json", info->json, "Print JSON, with every frame");
  add_text_options(app, info->text);
  return [info](Ranks&) { return run(*info); };
}

}  // namespace roadplane::app
