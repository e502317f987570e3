#include "roadplane/pipeline/rig.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>

#include "command.hpp"
#include "rig_scans.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/kitti/label_file.hpp"
#include "roadplane/pipeline/mount_files.hpp"
#include "roadplane/results/json_text.hpp"
#include "roadplane/results/text_layout.hpp"
#include "terminal.hpp"

namespace roadplane::app {
namespace {

namespace fs = std::filesystem;
using Verdict = LidarCheck::Verdict;

struct Rig {
  RigPaths paths;
  fs::path out;
  TextWish text;
};

/// What was found at one moment.
struct Moment {
  std::string name;
  std::vector<LidarCheck> checks;
  std::optional<FrameRecord> record;
  std::string error;
};

std::string with_interval(const Measured& m, double factor, int digits) {
  return fmt::format("{:+.{}f} +- {:.{}f}", factor * m.value, digits, factor * m.half_width,
                     digits);
}

std::string table_of(const std::vector<LidarCheck>& checks, const TextLayout& layout) {
  std::vector<std::vector<std::string>> rows{
      {"lidar", "height m", "tilt", "angle deg", "roll", "pitch", "z cm", "verdict"}};
  for (const LidarCheck& c : checks) {
    std::vector<std::string> row{terminal_text(c.name)};
    const bool seen = c.verdict != Verdict::no_plane;
    const double tilt_deg =
        180 / std::numbers::pi * std::acos(std::clamp(c.own.normal.z(), -1.0, 1.0));
    row.push_back(seen ? fmt::format("{:.3f}", c.own.offset_m) : "");
    row.push_back(seen ? fmt::format("{:.2f}", tilt_deg) : "");
    const bool compared = c.verdict == Verdict::fits || c.verdict == Verdict::differs;
    row.push_back(
        compared ? fmt::format("{:.2f} +- {:.2f}", c.angle_deg.value, c.angle_deg.half_width) : "");
    // Known as well as the angle is.
    row.push_back(compared ? fmt::format("{:+.2f}", c.roll_deg.value) : "");
    row.push_back(compared ? fmt::format("{:+.2f}", c.pitch_deg.value) : "");
    row.push_back(compared ? with_interval(c.z_m, 100, 1) : "");
    row.emplace_back(to_string(c.verdict));
    rows.push_back(std::move(row));
  }
  return aligned_text(std::move(rows), {true, false, false, false, false, false, false, true},
                      layout);
}

/// What a person should do about a LiDAR, in a sentence; empty if nothing.
std::string advice(const LidarCheck& c) {
  if (c.verdict == Verdict::no_plane) {
    return fmt::format("{} is left out of the comparison: {}", c.name,
                       c.note.empty() ? "its plane is doubted" : c.note);
  }
  if (c.verdict != Verdict::differs) return "";
  constexpr double kBare = 1e-9;  // [deg] of an extrinsic without a turn
  constexpr double kTiltedDeg = 5;
  const double roll = c.corrected.roll_deg - c.roll_deg.value;
  const double pitch = c.corrected.pitch_deg - c.pitch_deg.value;
  const bool bare = std::abs(roll) < kBare && std::abs(pitch) < kBare;
  return fmt::format(
      "{}: its extrinsic differs from the others by {:.2f} +- {:.2f} deg and {:.1f} +- {:.1f} cm{}",
      c.name, c.angle_deg.value, c.angle_deg.half_width, 100 * c.z_m.value, 100 * c.z_m.half_width,
      bare && c.angle_deg.value > kTiltedDeg
          ? fmt::format("; it has no roll and pitch though the LiDAR is tilted by {:.1f} deg",
                        c.angle_deg.value)
          : "");
}

nlohmann::json to_json(const Measured& m) {
  return {{"value", m.value}, {"half_width_95", m.half_width}};
}

nlohmann::json to_json(const Extrinsic& e) {
  return {{"x_m", e.place_m.x()},   {"y_m", e.place_m.y()},     {"z_m", e.place_m.z()},
          {"roll_deg", e.roll_deg}, {"pitch_deg", e.pitch_deg}, {"yaw_deg", e.yaw_deg}};
}

nlohmann::json to_json(const LidarCheck& c) {
  nlohmann::json json{{"name", c.name}, {"verdict", to_string(c.verdict)}};
  if (!c.note.empty()) json["note"] = c.note;
  if (c.verdict == Verdict::no_plane) return json;
  json["plane"] = {{"frame", "lidar"},
                   {"normal", {c.own.normal.x(), c.own.normal.y(), c.own.normal.z()}},
                   {"offset_m", c.own.offset_m}};
  if (c.verdict == Verdict::reference) return json;
  json["angle_deg"] = to_json(c.angle_deg);
  json["roll_deg"] = to_json(c.roll_deg);
  json["pitch_deg"] = to_json(c.pitch_deg);
  json["z_m"] = to_json(c.z_m);
  json["corrected"] = to_json(c.corrected);
  return json;
}

nlohmann::json to_json(const std::vector<LidarCheck>& checks) {
  nlohmann::json json = nlohmann::json::array();
  for (const LidarCheck& check : checks) json.push_back(to_json(check));
  return json;
}

/// In the form that --extrinsics reads.
std::string extrinsics_text(const std::vector<LidarCheck>& checks) {
  std::string text =
      "# NAME: x,y,z,roll,pitch,yaw [m, deg]; roll, pitch and z are those that fit the road\n";
  for (const LidarCheck& c : checks) {
    const Extrinsic& e = c.corrected;
    text += fmt::format("{}: {:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f}\n", c.name, e.place_m.x(),
                        e.place_m.y(), e.place_m.z(), e.roll_deg, e.pitch_deg, e.yaw_deg);
  }
  return text;
}

/// A LiDAR's name may be a topic, which has slashes; whatever it is, it leads nowhere else.
std::string folder_of(std::string lidar) {
  std::replace(lidar.begin(), lidar.end(), '/', '_');
  return lidar == "." || lidar == ".." ? "_" + lidar : lidar;
}

void write_labels(const fs::path& out, const RigMoment& moment, const Segmentation& found) {
  std::size_t at = 0;
  for (std::size_t k = 0; k < moment.scans.size(); ++k) {
    const std::size_t points = moment.scans[k].size();
    const fs::path folder = out / "sequences" / folder_of(moment.lidars[k].name) / "predictions";
    make_folders(folder);
    kitti::write_road(folder / (moment.stems[k] + ".label"),
                      std::span(found.labels.road).subspan(at, points));
    at += points;
  }
}

Moment look(const RigMoment& moment, const fs::path& out) {
  Moment result{moment.name, check_rig(moment.lidars, SegmentConfig{}), std::nullopt, ""};
  try {
    Segmentation found = segment_rig(moment.lidars, result.checks, SegmentConfig{}, moment.name);
    if (!out.empty()) write_labels(out, moment, found);
    result.record = std::move(found.record);
  } catch (const InputError& error) {
    result.error = error.what();
  }
  return result;
}

void print_moment(const Moment& moment) {
  if (!moment.record) {
    fmt::print("{}\n", terminal_text(moment.error));
    return;
  }
  const FrameRecord& r = *moment.record;
  fmt::print("{}: {} of {} points are road, {:.3f} m below the vehicle's origin, {}{}\n",
             terminal_text(moment.name), r.inliers, r.points, r.plane.offset_m, to_string(r.status),
             r.note.empty() ? "" : ": " + r.note);
}

/// How each LiDAR sits above the road, in its own frame, over the moments in which it saw one.
void write_mounts(const fs::path& out, const std::vector<Moment>& moments) {
  std::vector<RoadView> views;
  for (std::size_t k = 0; k < moments.size(); ++k) {
    for (const LidarCheck& c : moments[k].checks) {
      views.push_back({utf8_of_name(folder_of(c.name)), moments[k].name, static_cast<int>(k), {}});
      if (c.verdict != Verdict::no_plane) views.back().plane = c.own;
    }
  }
  for (const std::string& line : write_mount(out, views)) {
    fmt::print("mount of {}\n", terminal_text(line));
  }
}

void write_results(const Rig& job, const std::vector<Moment>& moments,
                   const std::vector<LidarCheck>& overall) {
  nlohmann::json json{{"lidars", to_json(overall)},
                      {"unobservable", {"yaw", "x", "y"}},
                      {"moments", nlohmann::json::array()}};
  for (const Moment& moment : moments) {
    nlohmann::json row{{"name", moment.name}, {"lidars", to_json(moment.checks)}};
    if (moment.record) row["record"] = roadplane::to_json(*moment.record);
    if (!moment.error.empty()) row["error"] = moment.error;
    json["moments"].push_back(std::move(row));
  }
  write_file_atomically(job.out / "rig.json", text_of(json, 1) + "\n");
  write_file_atomically(job.out / "extrinsics.txt", extrinsics_text(overall));
  write_mounts(job.out, moments);
  const std::string shown = terminal_text(job.out.string());
  fmt::print("results: {0}  (rig.json, extrinsics.txt, mount.json, sequences/)\n", shown);
}

int run(const Rig& job) {
  job.text.validate();
  const RigScans scans(job.paths);
  if (!job.out.empty()) {
    std::error_code error;
    if (fs::exists(job.out, error)) throw FieldError("out", "a new folder", job.out.string());
    make_folders(job.out);
  }
  for (const std::string& remark : scans.remarks()) {
    fmt::print("note: {}\n", terminal_text(remark));
  }
  std::vector<Moment> moments;
  std::vector<std::vector<LidarCheck>> checks;
  bool good = true;
  for (std::size_t k = 0; k < scans.moments(); ++k) {
    try {
      moments.push_back(look(scans.load(k), job.out));
      checks.push_back(moments.back().checks);
    } catch (const InputError& error) {  // the other moments go on
      moments.push_back({std::to_string(k), {}, std::nullopt, error.what()});
    }
    good = good && moments.back().error.empty();
    print_moment(moments.back());
  }
  if (checks.empty()) throw InputError("rig", "a moment that can be read", moments.back().error);
  const std::vector<LidarCheck> overall = combined(checks, scans.lidars());
  fmt::print("\n{}\n", table_of(overall, job.text.layout()));
  for (const LidarCheck& check : overall) {
    const std::string text = advice(check);
    good = good && text.empty();
    if (!text.empty()) fmt::print("note: {}\n", terminal_text(text));
  }
  if (overall.size() == 2 && !good) {
    fmt::print("note: of two LiDARs that differ either may be the wrong one\n");
  }
  fmt::print("note: yaw, x and y of an extrinsic cannot be seen from one plane\n");
  if (!job.out.empty()) write_results(job, moments, overall);
  return good ? kAllGood : kSomeFramesFailed;
}

}  // namespace

Run add_rig(CLI::App& app) {
  app.footer(
      "Each LiDAR is an agent with its own points. It finds the road by itself, however it is\n"
      "mounted. If its view of the road does not fit the others, its extrinsic differs, and the\n"
      "table shows what to add to its roll, pitch and z, with 95 % intervals. Then all agents\n"
      "agree on one plane and label their points with it.\n"
      "Exit code 3 if a LiDAR differs or sees no road.\n"
      "\n"
      "FILE has a line NAME: x,y,z,roll,pitch,yaw (metres and degrees) for each LiDAR, or is a\n"
      "file of OpenCalib.\n"
      "\n"
      "Examples:\n"
      "  roadplane rig scans --extrinsics scans/extrinsics.txt       scans/top.pcd, ...\n"
      "  roadplane rig --lidar 'top=top/*.pcd' --lidar 'left=left/*.pcd@0,0.6,-0.3,0,45,90'\n"
      "  roadplane rig drive.bag --lidar top=/top/points --lidar rear=/rear/points@-2,0,0,0,0,180");
  auto job = std::make_shared<Rig>();
  app.add_option("path", job->paths.path,
                 "A folder with a scan or a folder of scans for each LiDAR, or a recording")
      ->type_name("PATH");
  app.add_option("--lidar", job->paths.lidars,
                 "A LiDAR: NAME=FILES@TRANSFORM, or NAME=TOPIC@TRANSFORM for a recording.\n"
                 "TRANSFORM leads to the vehicle's frame: x,y,z,roll,pitch,yaw in metres and\n"
                 "degrees, or a file with a 4 x 4 matrix (default: as /tf_static of the recording\n"
                 "says, otherwise the frames are the same)")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("LIDAR");
  app.add_option("--extrinsics", job->paths.extrinsics, "Extrinsics of all LiDARs in PATH")
      ->type_name("FILE")
      ->excludes("--lidar");
  app.add_option("--out", job->out,
                 "A new folder for rig.json, extrinsics.txt, mount.json and labels")
      ->type_name("DIR");
  add_text_options(app, job->text);
  return [job](Ranks&) { return run(*job); };
}

}  // namespace roadplane::app
