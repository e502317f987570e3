#include "roadplane/report/run_report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "roadplane/kitti/dataset.hpp"
#include "roadplane/kitti/label_file.hpp"
#include "roadplane/kitti/synthetic/fleet.hpp"
#include "roadplane/pipeline/fleet.hpp"
#include "roadplane/pipeline/segment_sequence.hpp"
#include "roadplane/results/run_folder.hpp"
#include "support/data.hpp"
#include "support/input_error.hpp"
#include "support/street.hpp"
#include "support/temp_dir.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;
using Report = viz::Report;

/// Segments the dataset into `out`, as the program does.
void segment(SegmentConfig config, const fs::path& data, const fs::path& out) {
  config.data.paths = {data.string()};
  const nlohmann::json json = to_json(config.resolved());
  RunFolder run = RunFolder::create(out, json);
  run.append_command("roadplane segment somewhere");
  const auto records = segment_sequence(
      kitti::open_dataset(data).frames, SegmentPlan(config), run, 2, [](const auto&) {}, false);
  run.write_summary(records);
}

std::vector<std::string> picture_names(const Report::Frame& frame) {
  std::vector<std::string> names;
  for (const auto& picture : frame.pictures) names.push_back(picture.name);
  return names;
}

std::string notes_of(const Report& report) {
  std::string text;
  for (const std::string& note : report.notes) text += note + "\n";
  return text;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(RunReport, ShowsWhatTheRunFound) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 2, true);
  SegmentConfig config;
  config.save = "label,trace";
  segment(config, street, folder / "my run");
  const Report report = make_report(folder / "my run");
  EXPECT_EQ(report.title, "my run");
  EXPECT_EQ(report.command, "roadplane segment somewhere\n");
  EXPECT_EQ(notes_of(report), "");
  ASSERT_EQ(report.tables.size(), 1U);
  ASSERT_EQ(report.tables[0].rows.size(), 2U);
  EXPECT_EQ(report.tables[0].rows[1].frame, "00/000001");
  EXPECT_EQ(report.tables[0].rows[1].cells.size(), report.tables[0].columns.size());
  ASSERT_EQ(report.frames.size(), 2U);
  for (const Report::Frame& frame : report.frames) {
    EXPECT_EQ(frame.note, "");
    EXPECT_EQ(picture_names(frame),
              (std::vector<std::string>{"camera", "labels", "truth", "hits and misses", "agents"}));
    // Those that the run has written.
    ASSERT_TRUE(frame.cloud);
    ASSERT_EQ(frame.cloud->points, frame.cloud->of) << "a small scan is shown whole";
    const auto labels = kitti::read_labels(
        folder / "my run/sequences/00/predictions" / (frame.name.substr(3) + ".label"),
        frame.cloud->of);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      ASSERT_EQ(frame.cloud->road[i], labels[i] == 40 ? 1 : 0) << i;
    }
    ASSERT_EQ(frame.curves.size(), 1U);
    EXPECT_GT(frame.curves[0].columns.at("stationarity gap").size(), 2U);
    EXPECT_EQ(frame.curves[0].columns.at("stationarity gap").size(),
              frame.curves[0].columns.at("rounds").size());
  }
}

TEST(RunReport, ShowsTheLabelsThatWereWrittenAndMakesThemAnewWhereThereAreNone) {
  const test::TempDir folder;
  segment({}, test::write_street(folder / "street", 1), folder / "run");
  const fs::path label = folder / "run/sequences/00/predictions/000000.label";
  const auto shown = [&] {
    const Report report = make_report(folder / "run");
    const auto& road = report.frames.at(0).cloud.value().road;
    return std::count(road.begin(), road.end(), 1);
  };
  const auto labelled = shown();
  EXPECT_GT(labelled, 1000);
  const std::size_t points = fs::file_size(label) / 4;
  std::vector<std::uint8_t> one(points);
  one[7] = 1;
  kitti::write_road(label, one);
  EXPECT_EQ(shown(), 1);
  fs::remove(label);
  EXPECT_NEAR(shown(), labelled, 0.01 * labelled);

  kitti::write_road(label, std::span(one).first(9));
  EXPECT_TRUE(has(make_report(folder / "run").frames.at(0).note, "000000.label"));
}

TEST(RunReport, AFrameWithoutAPictureIsSeenFromAbove) {
  const test::TempDir folder;
  segment({}, test::write_street(folder / "street", 1), folder / "run");
  const Report report = make_report(folder / "run");
  EXPECT_EQ(picture_names(report.frames.at(0)),
            (std::vector<std::string>{"labels", "truth", "hits and misses", "agents"}));
  EXPECT_TRUE(report.frames[0].curves.empty());
}

TEST(RunReport, WithoutTheDatasetShowsWhatTheRunSaved) {
  for (const char* format : {"png", "jpeg"}) {
    const test::TempDir folder;
    const fs::path street = test::write_street(folder / "street", 2, true);
    SegmentConfig config;
    config.image_format = format;
    segment(config, street, folder / "run");
    fs::remove_all(folder / "street");
    const Report report = make_report(folder / "run");
    EXPECT_TRUE(has(notes_of(report), "dataset cannot be opened")) << notes_of(report);
    ASSERT_EQ(report.frames.size(), 2U);
    EXPECT_EQ(picture_names(report.frames[0]), std::vector<std::string>{"overlay"}) << format;
    EXPECT_FALSE(report.frames[0].cloud);
    EXPECT_EQ(report.tables[0].rows.size(), 2U);
  }
}

TEST(RunReport, ABadFrameSaysSoAndTheOthersAreShown) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 3, true);
  segment({}, street, folder / "run");
  fs::resize_file(street / "velodyne/000000.bin", 16 * 1000);  // another scan than the run had
  fs::resize_file(street / "image_2/000001.png", 100);
  const Report report = make_report(folder / "run");
  ASSERT_EQ(report.frames.size(), 3U);
  EXPECT_TRUE(has(report.frames[0].note, "as in the run, found 1000")) << report.frames[0].note;
  EXPECT_TRUE(report.frames[0].pictures.empty());
  EXPECT_TRUE(has(report.frames[1].note, "000001.png")) << report.frames[1].note;
  EXPECT_EQ(report.frames[1].pictures.front().name, "labels") << "from above";
  EXPECT_EQ(report.frames[2].note, "");
}

TEST(RunReport, AnUnfinishedRunIsShownAsFarAsItWent) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 3);
  segment({}, street, folder / "run");
  fs::remove(folder / "run/summary.json");
  const fs::path file = folder / "run/frames.jsonl";
  fs::resize_file(file, fs::file_size(file) - 20);  // killed while it wrote
  const auto size = fs::file_size(file);
  const Report report = make_report(folder / "run");
  EXPECT_TRUE(has(notes_of(report), "not finished: 2 of 3 frames")) << notes_of(report);
  EXPECT_EQ(report.frames.size(), 2U);
  EXPECT_EQ(fs::file_size(file), size) << "looking changes nothing";

  RunFolder::create(folder / "begun", to_json(SegmentConfig{}));
  EXPECT_TRUE(has(notes_of(make_report(folder / "begun")), "not finished: 0"));
}

TEST(RunReport, ALongRunIsShownInSomeFrames) {
  const test::TempDir folder;
  segment({}, test::write_street(folder / "street", 23), folder / "run");
  const Report report = make_report(folder / "run");
  EXPECT_EQ(report.frames.size(), 20U);
  EXPECT_EQ(report.frames.front().name, "00/000000");
  EXPECT_EQ(report.frames.back().name, "00/000022");
  EXPECT_EQ(report.tables[0].rows.size(), 23U);
  EXPECT_TRUE(has(notes_of(report), "20 of the 23 frames")) << notes_of(report);
}

TEST(RunReport, OfManyFramesPicturesAreBesideThePage) {
  const test::TempDir folder;
  segment({}, test::write_street(folder / "street", 23), folder / "run");
  EXPECT_EQ(make_report(folder / "run", {.frames = 3}).frames.size(), 3U);
  std::map<std::string, std::string> files;
  const auto keep = [&](const std::string& name, const std::string& text) {
    files[name] = text;
    return "beside/" + name;
  };
  const Report report =
      make_report(folder / "run", {.frames = ReportOptions::kAllFrames, .threads = 2}, keep);
  EXPECT_EQ(notes_of(report), "");
  ASSERT_EQ(report.frames.size(), 23U);
  ASSERT_EQ(files.size(), 23U);
  for (std::size_t k = 0; k < 23; ++k) {
    const Report::Frame& frame = report.frames[k];
    EXPECT_EQ(frame.name, report.tables[0].rows[k].frame);
    EXPECT_TRUE(frame.pictures.empty());
    EXPECT_FALSE(frame.thumbnail.empty());
    ASSERT_TRUE(frame.file.starts_with("beside/"));
    const std::string& text = files.at(frame.file.substr(7));
    EXPECT_TRUE(text.starts_with("roadplaneFrame(" + std::to_string(k) + ", {"));
    EXPECT_TRUE(has(text, "\"hits and misses\""));
    EXPECT_TRUE(has(text, "\"cloud\""));
  }
  EXPECT_LT(viz::report_html(report).size(), 3'000'000U) << "three libraries, 23 thumbnails";
}

TEST(RunReport, AComparisonShowsEveryMethodAndTheFirstSeed) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 2);
  nlohmann::json frames;
  for (const std::string objective : {"robust", "l3"}) {
    SegmentConfig config;
    config.objective = objective;
    config.surface = "plane";  // as compare has it
    segment(config, street, folder / objective);
    const RunFolder run_folder = RunFolder::open(folder / objective);
    for (const FrameRecord& record : run_folder.done()) {
      auto& frame = frames[record.name];
      frame["name"] = record.name;
      frame["curves"].push_back(
          {{"method", objective}, {"rounds", {0, 1}}, {"stationarity_gap", {1, nullptr}}});
      for (const int seed : {1, 2}) {
        auto& run = frame["runs"].emplace_back(to_json(record));
        run["method"] = objective;
        run["seed"] = seed;
        if (seed == 2) run["w"] = {0, 0, 1, 0};  // would label other points
      }
    }
  }
  auto config = to_json(SegmentConfig{});
  config["path"] = street.string();
  config["solvers"] = "vrsgt";
  RunFolder::create(folder / "run", config).append_command("roadplane compare");
  EXPECT_TRUE(has(notes_of(make_report(folder / "run")), "not finished: 0 of 2 frames"));
  nlohmann::json all = {
      {"findings", {"found"}}, {"protocol", {"equal"}}, {"frames", nlohmann::json::array()}};
  for (const auto& [name, frame] : frames.items()) all["frames"].push_back(frame);
  all["summary"] = {{{"method", "robust"}, {"f1", {{"median", 0.9}}}, {"rounds", nullptr}},
                    {{"method", "l3"}}};
  folder.write("run/compare.json", all.dump());

  const Report report = make_report(folder / "run");
  EXPECT_EQ(notes_of(report), "");
  EXPECT_EQ(report.remarks, (std::vector<std::string>{"found", "equal"}));
  ASSERT_EQ(report.tables.size(), 2U);
  EXPECT_EQ(report.tables[0].rows.size(), 2U);
  EXPECT_EQ(report.tables[1].rows.size(), 8U) << "2 frames, 2 methods, 2 seeds";
  EXPECT_EQ(report.tables[1].columns[1].name, "method");
  EXPECT_EQ(report.tables[1].columns[2].name, "seed");
  ASSERT_EQ(report.frames.size(), 2U);
  for (const Report::Frame& frame : report.frames) {
    EXPECT_EQ(picture_names(frame), (std::vector<std::string>{"robust", "l3", "truth"}));
    ASSERT_EQ(frame.planes.size(), 2U);
    EXPECT_GT(frame.planes[0].plane.offset_m, 1) << "of the first seed";
    ASSERT_EQ(frame.curves.size(), 2U);
    EXPECT_EQ(frame.curves[1].method, "l3");
    EXPECT_TRUE(std::isnan(frame.curves[1].columns.at("stationarity gap")[1]));
    for (const char* objective : {"robust", "l3"}) {
      const auto labels = kitti::read_labels(
          folder / objective / "sequences/00/predictions" / (frame.name.substr(3) + ".label"),
          frame.cloud->of);
      const int bit = objective[0] == 'r' ? 0 : 1;
      for (std::size_t i = 0; i < labels.size(); ++i) {
        ASSERT_EQ(frame.cloud->road[i] >> bit & 1, labels[i] == 40 ? 1 : 0) << i;
      }
    }
  }
  folder.write("run/compare.json", "{}");
  EXPECT_TRUE(has(test::input_error_of([&] { make_report(folder / "run"); }), "run"));
}

TEST(RunReport, WhatIsNoRunIsRefused) {
  const test::TempDir folder;
  const auto refusal = [&](const char* name) {
    return test::input_error_of([&] { make_report(folder / name); });
  };
  EXPECT_TRUE(has(refusal("missing"), "missing: expected the folder of a run")) << "missing";
  folder.write("file", "x");
  EXPECT_TRUE(has(refusal("file"), "found a file"));
  folder.write("other/data.txt", "x");
  EXPECT_TRUE(has(refusal("other"), "found a folder without it"));
  folder.write("damaged/config.json", "{");
  EXPECT_TRUE(has(refusal("damaged"), "config.json"));
  folder.write("typed/config.json", R"({"path": 7, "schema": 3})");
  EXPECT_TRUE(has(refusal("typed"), "typed: expected files of this program")) << refusal("typed");
  folder.write("lines/config.json", R"({"schema": 3})");
  folder.write("lines/frames.jsonl", "{\"frame\": 1}\n");
  EXPECT_TRUE(has(make_report(folder / "lines").remarks.at(0), "frames.jsonl: line 1"));
}

TEST(RunReport, OfRealFramesStaysSmall) {
  ROADPLANE_KITTI_OR_SKIP(kitti_folder);
  const test::TempDir folder;
  SegmentConfig config;
  config.target = "plane";  // what the annotations are of
  segment(config, kitti_folder / "dpcp_annotations/09_29_071", folder / "run");
  const Report report = make_report(folder / "run");
  ASSERT_EQ(report.frames.size(), 2U);
  EXPECT_EQ(report.frames[0].note, "");
  EXPECT_EQ(report.frames[0].cloud->points, 40'000U);
  EXPECT_LT(viz::report_html(report).size(), 15'000'000U);
}

/// Segments two moments of a fleet into `out`, as the program does.
void segment_fleet(const fs::path& data, const fs::path& out) {
  kitti::FleetOptions made;
  made.scene.points_per_frame = 4000;
  made.scene.frames = 2;
  made.vehicles = 3;
  kitti::write_fleet(made, data);
  std::ofstream(data / "1/000001.yaml") << "nothing: 0\n";
  FleetConfig config;
  config.path = data.string();
  RunFolder run = RunFolder::create(out, to_json(config));
  std::ofstream lines(out / "vehicles.jsonl");
  for (const char* moment : {"000000", "000001"}) {
    const MomentRecord record =
        segment_moment(kitti::open_fleet(data), moment, FleetPlan(config), out);
    for (const VehicleRecord& vehicle : record.vehicles) {
      lines << to_json(vehicle).dump() << "\n";
      run.append(vehicle.frame);
    }
  }
}

TEST(RunReport, ShowsAFleetAsOneCloud) {
  const test::TempDir folder;
  segment_fleet(folder / "fleet", folder / "run");
  const Report report = make_report(folder / "run");
  EXPECT_TRUE(has(report.subtitle, "a fleet's road in"));
  ASSERT_EQ(report.tables.size(), 1U);
  ASSERT_EQ(report.tables[0].rows.size(), 6U);
  for (const Report::Row& row : report.tables[0].rows)
    EXPECT_EQ(row.cells.size(), report.tables[0].columns.size());
  EXPECT_EQ(report.tables[0].rows[4].mark, "failed");
  ASSERT_EQ(report.frames.size(), 2U);
  EXPECT_EQ(picture_names(report.frames[1]), std::vector<std::string>{"from above"});
  std::set<std::uint8_t> owners[2];
  for (const int k : {0, 1}) {
    ASSERT_TRUE(report.frames[k].cloud);
    owners[k].insert(report.frames[k].cloud->agents.begin(), report.frames[k].cloud->agents.end());
    EXPECT_FALSE(report.frames[k].cloud->truth.empty());
  }
  EXPECT_EQ(owners[0].size(), 3U);
  EXPECT_EQ(owners[1].size(), 2U) << "one could not take part";
  fs::remove_all(folder / "fleet");
  const Report later = make_report(folder / "run");
  EXPECT_FALSE(later.frames[0].cloud);
  EXPECT_FALSE(later.frames[0].note.empty());
}

}  // namespace
}  // namespace roadplane
