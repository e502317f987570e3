#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "roadplane/base/file.hpp"
#include "roadplane/results/frame_record.hpp"
#include "roadplane/results/run_folder.hpp"
#include "roadplane/results/tables.hpp"
#include "support/input_error.hpp"
#include "support/temp_dir.hpp"

namespace roadplane {
namespace {

FrameRecord sample(int frame) {
  FrameRecord r;
  r.sequence = "04";
  r.name = "04/00000" + std::to_string(frame);
  r.frame = frame;
  r.points = 1000;
  r.inliers = 600;
  r.w = Eigen::Vector4d(0.1, 0.2, 0.5, 0.8).normalized();
  r.plane = *Plane::from_hyperplane(r.w);
  r.threshold = "auto";
  r.threshold_value = 0.0123;
  r.termination = "converged";
  r.began = "tracked";
  r.note = "a second plane";
  r.step = 0.7;
  r.step_halvings = 1;
  r.iterations = 128;
  r.rounds = 256;
  r.messages = 4096;
  r.bytes_per_agent = 12345.5;
  r.bytes_scan_per_agent = 1000;
  r.samples = 77;
  r.messages_per_link = 33;
  r.minimiser_distance = 0.0625;
  r.gap = {1e-20, 2e-20, 3e-20};
  r.consensus_error = 1e-11;
  r.score = FrameScore{"label:road", 0.001, 0.0011, 0.05, 0.002, {}};
  r.score->labels = {"strict", 0.9, 0.8, 0.85, 0.74, 0.88, 0.99, 0.86};
  r.ms = {1, 2, 3, 4, 5};
  return r;
}

TEST(FrameRecord, RoundTripsThroughJson) {
  FrameRecord failed;
  failed.name = "04/000002";
  failed.status = FrameStatus::failed;
  failed.error = "x.bin: expected 16 bytes a point, found 3";
  FrameRecord without_labels = sample(1);
  without_labels.score->labels.reset();
  without_labels.status = FrameStatus::incomplete;
  without_labels.error = "something";
  FrameRecord doubted = sample(1);
  doubted.status = FrameStatus::suspect;
  doubted.tilt_deg_95 = {1.25, 1.5};
  doubted.height_m_95 = {1.625, 1.75};
  doubted.relief = {-0.5, 0.25, 0.0625};
  doubted.road_width[1] = {7.5, 0.25};
  doubted.road_width[5] = {8.25, 0.5};
  for (const FrameRecord& record : {sample(1), failed, without_labels, doubted}) {
    const nlohmann::json j = to_json(record);
    EXPECT_EQ(to_json(record_from_json(nlohmann::json::parse(j.dump()), "test")), j);
  }
}

TEST(FrameRecord, HasTheDocumentedKeys) {
  const nlohmann::json j = to_json(sample(1));
  for (const char* key : {"frame",
                          "status",
                          "points",
                          "inliers",
                          "w",
                          "threshold",
                          "termination",
                          "iterations",
                          "rounds",
                          "messages",
                          "messages_per_link",
                          "minimiser_distance",
                          "bytes_per_agent",
                          "samples",
                          "stationarity_gap",
                          "consensus_error",
                          "recovery_error",
                          "recovery_error_worst_agent",
                          "angle_deg",
                          "height_error_m",
                          "scoring",
                          "precision",
                          "recall",
                          "f1",
                          "iou",
                          "accuracy",
                          "auc",
                          "truth"}) {
    EXPECT_TRUE(j.contains(key)) << key;
  }
  EXPECT_EQ(j["w"].size(), 4U);
  EXPECT_EQ(j["plane"]["normal"].size(), 3U);
  EXPECT_TRUE(j["plane"].contains("offset_m"));
  for (const char* key : {"load", "start", "solve", "label", "draw"}) {
    EXPECT_TRUE(j["ms"].contains(key)) << key;
  }
}

TEST(FrameRecord, HasIntervalsOnlyWhereTheyAreKnown) {
  FrameRecord record = sample(1);
  for (const char* key : {"tilt_deg_95", "height_m_95"}) {
    EXPECT_FALSE(to_json(record).contains(key)) << key;
  }
  record.tilt_deg_95 = {1.25, 1.5};
  record.height_m_95 = {1.625, 1.75};
  EXPECT_EQ(to_json(record)["tilt_deg_95"], nlohmann::json({1.25, 1.5}));
  EXPECT_EQ(to_json(record)["height_m_95"], nlohmann::json({1.625, 1.75}));
}

TEST(FrameRecord, AFailedFrameHasNoPlaneButItsTimes) {
  FrameRecord record = sample(1);
  record.status = FrameStatus::failed;
  record.score.reset();
  std::set<std::string> keys;
  const nlohmann::json json = to_json(record);
  for (const auto& [key, value] : json.items()) keys.insert(key);
  EXPECT_EQ(keys, (std::set<std::string>{"began", "frame", "ms", "name", "points", "sequence",
                                         "status", "termination"}));
}

TEST(FrameRecord, OfSeveralStatusesTheWorstIsTheLargest) {
  EXPECT_GT(FrameStatus::failed, FrameStatus::suspect);
  EXPECT_GT(FrameStatus::suspect, FrameStatus::incomplete);
  EXPECT_GT(FrameStatus::incomplete, FrameStatus::ok);
}

TEST(FrameRecord, GarbageIsRefused) {
  for (const char* text : {"{}", "[]", "3", R"({"name": 3})"}) {
    EXPECT_NE(test::input_error_of([&] {
                record_from_json(nlohmann::json::parse(text), "here");
              }).find("here: expected a record"),
              std::string::npos);
  }
}

TEST(Tables, CsvHasARowAFrameAndAColumnAKey) {
  FrameRecord failed;
  failed.name = "with \"quotes\", and comma";
  failed.status = FrameStatus::failed;
  failed.error = "bad";
  const std::vector<FrameRecord> records{sample(1), failed};
  std::istringstream lines(records_csv(records));
  std::string header;
  std::string first;
  std::string second;
  std::getline(lines, header);
  std::getline(lines, first);
  std::getline(lines, second);
  EXPECT_NE(header.find("plane.offset_m"), std::string::npos);
  EXPECT_NE(header.find("ms.solve"), std::string::npos);
  EXPECT_NE(second.find("\"with \"\"quotes\"\", and comma\""), std::string::npos);
  EXPECT_EQ(std::count(header.begin(), header.end(), ','),
            std::count(first.begin(), first.end(), ','));
}

TEST(Tables, CsvColumnsAreTheSameInEveryRunAndInTheOrderOfTheMetrics) {
  const auto header = [](const FrameRecord& record) {
    const std::string text = records_csv(std::vector{record});
    return text.substr(0, text.find('\n'));
  };
  FrameRecord failed;
  failed.status = FrameStatus::failed;
  EXPECT_EQ(header(sample(1)), header(failed));
  EXPECT_EQ(header(failed), csv_header());
  EXPECT_TRUE(csv_header().starts_with("sequence,frame,name,status,"));
  std::size_t last = 0;
  for (const char* key : {"name", "plane.offset_m", "w.0", "points", "recovery_error", "rounds",
                          "ms.solve", "note"}) {
    const std::size_t at = csv_header().find("," + std::string(key) + ",");
    ASSERT_NE(at, std::string::npos) << key;
    EXPECT_GT(at, last) << key;
    last = at;
  }
}

TEST(Tables, CsvSaysWhatJsonSays) {
  const nlohmann::json flat = to_json(sample(1)).flatten();
  std::size_t cells = 0;
  std::istringstream header(csv_header());
  std::istringstream line(csv_line(sample(1)));  // no comma inside a text
  for (std::string key, cell; std::getline(header, key, ',');) {
    std::getline(line, cell, ',');
    std::replace(key.begin(), key.end(), '.', '/');
    EXPECT_EQ(cell, flat.contains("/" + key) ? flat["/" + key].dump() : "") << key;
    cells += cell.empty() ? 0 : 1;
  }
  EXPECT_EQ(cells, flat.size());
}

TEST(Tables, MediansSkipFailedFrames) {
  std::vector<FrameRecord> records{sample(1), sample(2), sample(3)};
  records[1].score->recovery_error = 0.003;
  records[2].status = FrameStatus::failed;
  const nlohmann::json a = aggregate(records);
  EXPECT_EQ(a["frames"], 3);
  EXPECT_EQ(a["failed"], 1);
  EXPECT_DOUBLE_EQ(a["median"]["recovery_error"].get<double>(), 0.002);
}

TEST(Tables, SuspectFramesAreCountedWhereThereAreSome) {
  std::vector<FrameRecord> records{sample(1), sample(2)};
  EXPECT_FALSE(aggregate(records).contains("suspect"));
  records[1].status = FrameStatus::suspect;
  const nlohmann::json a = aggregate(records);
  EXPECT_EQ(a["ok"], 1);
  EXPECT_EQ(a["suspect"], 1);
  EXPECT_EQ(a["incomplete"], 0);
}

TEST(Tables, TheTerminalShowsErrorsOnlyWhereThereIsATruth) {
  std::vector<FrameRecord> records{sample(1), sample(2)};
  records[0].score.reset();
  records[0].note = "";
  records[1].status = FrameStatus::failed;
  records[1].error = "bad.bin: expected points, found none";
  records[1].score.reset();
  EXPECT_EQ(
      records_text(records, 5),
      "frame      status  points  labelled %  height m  height +- m  tilt deg  tilt +- deg  note\n"
      "04/000001  ok        1000        60.0     1.461            -     24.09            -  -\n"
      "04/000002  failed    1000           -         -            -         -            -  "
      "bad.bin: expected points, found none\n");
  records[0] = sample(1);
  const std::string text = records_text(records, 1);
  for (const char* part : {"recovery error", "worst agent", "angle deg", "height error m", "F1",
                           "1.00e-03", "a second plane", "... and 1 more"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

std::size_t longest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  return longest;
}

TEST(Tables, TheTerminalsColumnsAreThoseThatFit) {
  std::vector<FrameRecord> records{sample(1), sample(2)};
  records[0].name = "2011_09_26_drive_0005_sync/0000000001";
  records[0].note = std::string(90, 'n');
  for (const std::size_t width : {80U, 100U, 120U, 200U}) {
    const std::string text = records_text(records, 5, {width, false});
    EXPECT_LE(longest_line(text), width) << text;
    for (const char* part : {"sync/0000000001", "status", "height m", "tilt deg", "labelled %",
                             "error", "1.00e-03", "F1", "0.850"}) {
      EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    }
  }
  EXPECT_EQ(records_text(records, 5, {80, false}).find("+-"), std::string::npos);
  EXPECT_NE(records_text(records, 5, {200, false}).find("tilt +-"), std::string::npos);
  EXPECT_NE(records_text(records, 5, {200, false}).find("nnn..."), std::string::npos);
  EXPECT_NE(records_text(records, 5).find(std::string(90, 'n')), std::string::npos) << "all of it";
}

TEST(Tables, OnlyTheStatusHasAColour) {
  std::vector<FrameRecord> records{sample(1), sample(2)};
  records[1].status = FrameStatus::suspect;
  const std::string plain = records_text(records, 5, {80, false});
  std::string painted = records_text(records, 5, {80, true});
  EXPECT_NE(painted.find("\x1b[32mok\x1b[0m"), std::string::npos) << painted;
  EXPECT_NE(painted.find("\x1b[33msuspect\x1b[0m"), std::string::npos) << painted;
  for (const char* code : {"\x1b[32m", "\x1b[33m", "\x1b[0m"}) {
    for (auto at = painted.find(code); at != std::string::npos; at = painted.find(code)) {
      painted.erase(at, std::string(code).size());
    }
  }
  EXPECT_EQ(painted, plain);
}

TEST(Tables, OneLineSumsUp) {
  std::vector<FrameRecord> records{sample(1), sample(2), sample(3)};
  records[0].score->recovery_error = 0.003;
  records[1].status = FrameStatus::suspect;
  records[2].status = FrameStatus::failed;
  records[2].score.reset();
  EXPECT_EQ(
      records_line(records),
      "3 frames: 1 ok, 1 suspect, 1 failed; median error 2.00e-03, F1 0.850; 3 tracked, 0 lost");
  records.resize(1);
  records[0].score.reset();
  records[0].began = "";
  EXPECT_EQ(records_line(records), "1 frame: 1 ok");
  records[0].began = "lost";
  EXPECT_EQ(records_line(records), "1 frame: 1 ok; 0 tracked, 1 lost");
}

TEST(Tables, WhatDependsOnTheOriginStandsBesideWhatDoesNot) {
  const std::vector<FrameRecord> records{sample(1)};
  for (const std::string& table :
       {records_text(records, 5), records_markdown(records), records_latex(records)}) {
    const std::size_t error = table.find("recovery error");
    const std::size_t angle = table.find("angle deg");
    const std::size_t height = table.find("height error m");
    EXPECT_TRUE(error < angle && angle < height && height < table.find("F1")) << table;
    EXPECT_NE(table.find("0.050"), std::string::npos) << table;
    EXPECT_NE(table.find("0.002"), std::string::npos) << table;
  }
}

TEST(Tables, EveryOneThatHasAScoreNamesItsScoring) {
  std::vector<FrameRecord> records{sample(1), sample(2)};
  records[1].score->labels->scoring = "patchwork";
  for (const std::string& table :
       {records_text(records, 5), records_markdown(records), records_latex(records),
        records_csv(records), aggregate(records).dump()}) {
    EXPECT_NE(table.find("scoring"), std::string::npos) << table;
    EXPECT_NE(table.find("strict"), std::string::npos) << table;
    EXPECT_NE(table.find("patchwork"), std::string::npos) << table;
  }
  EXPECT_EQ(aggregate(records)["scoring"], "patchwork/strict");
  records.resize(1);
  records[0].score->labels.reset();
  EXPECT_FALSE(aggregate(records).contains("scoring"));
}

TEST(Tables, NoNameIsAFormulaARowOrHtml) {
  FrameRecord record = sample(1);
  record.name = "=1+1|<b>\nx\x1b[2J";
  const std::vector records{record};
  EXPECT_NE(records_csv(records).find("\"'=1+1|<b>?x?[2J\""), std::string::npos);
  EXPECT_NE(records_markdown(records).find("| =1+1\\|&lt;b&gt;?x?\\[2J |"), std::string::npos)
      << records_markdown(records);
  EXPECT_NE(records_latex(records).find("=1+1|<b>?x?[2J &"), std::string::npos);
  EXPECT_NE(records_text(records, 5).find("=1+1|<b>?x?[2J "), std::string::npos);
  for (const char begin : {'=', '@', '+', '-'}) {
    EXPECT_EQ(csv_text(begin + std::string("1")), std::string("\"'") + begin + "1\"");
  }
  EXPECT_EQ(csv_text("04/-1"), "\"04/-1\"");
}

TEST(Tables, LatexEscapesAndMarkdownAligns) {
  FrameRecord r = sample(1);
  r.name = "2011_09_26";
  EXPECT_NE(records_latex(std::vector{r}).find("2011\\_09\\_26"), std::string::npos);
  EXPECT_NE(records_markdown(std::vector{r}).find("| 2011_09_26 | 1000 |"), std::string::npos);
}

TEST(RunFolder, ResumesAfterATornLine) {
  const test::TempDir folder;
  const nlohmann::json config = {{"agents", 16}};
  {
    RunFolder run = RunFolder::create(folder / "run", config);
    run.append(sample(1));
    run.append(sample(2));
  }
  std::ofstream(folder / "run/frames.jsonl", std::ios::app) << R"({"frame": 3, "na)";
  RunFolder run = RunFolder::resume(folder / "run", config);
  ASSERT_EQ(run.done().size(), 2U);
  EXPECT_EQ(run.done()[1].frame, 2);
  run.append(sample(3));
  EXPECT_EQ(RunFolder::open(folder / "run").done().size(), 3U);
}

TEST(RunFolder, PassesOverADamagedLineAndSaysSo) {
  const test::TempDir folder;
  const nlohmann::json config = {{"agents", 16}};
  RunFolder::create(folder / "run", config).append(sample(1));
  std::ofstream(folder / "run/frames.jsonl", std::ios::app) << "{\"name\": \"04/0000\n\x01\n[3]\n";
  {
    RunFolder run = RunFolder::resume(folder / "run", config);
    EXPECT_EQ(run.done().size(), 1U);
    ASSERT_EQ(run.remarks().size(), 3U);
    EXPECT_EQ(run.remarks()[0], (folder / "run/frames.jsonl").string() +
                                    ": line 2: expected JSON, found text that is not JSON; its "
                                    "frame counts as not done");
    run.append(sample(2));
  }
  EXPECT_EQ(RunFolder::open(folder / "run").done().size(), 2U);
  EXPECT_TRUE(RunFolder::open(folder / "run").remarks().empty()) << "taken out of the file";
}

TEST(RunFolder, AtItsEndHasOneLineAFrame) {
  const test::TempDir folder;
  RunFolder run = RunFolder::create(folder / "run", {});
  for (const int frame : {1, 2, 1}) run.append(sample(frame));
  run.write_summary(run.done());
  const std::string lines = read_text_file(folder / "run/frames.jsonl", 100'000);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 2);
}

TEST(RunFolder, FindsOutThatItWasEmptied) {
  const test::TempDir folder;
  RunFolder run = RunFolder::create(folder / "run", {});
  run.append(sample(1));
  std::filesystem::remove(folder / "run/frames.jsonl");
  test::expect_one_line([&] { run.append(sample(2)); }, (folder / "run/frames.jsonl").string(),
                        "No such file");
  test::expect_one_line([&] { run.write_summary({}); }, (folder / "run/frames.jsonl").string(),
                        "found no such file");
}

TEST(RunFolder, FollowsNoLinkOutOfItself) {
  const test::TempDir folder;
  const nlohmann::json config = {{"agents", 16}};
  RunFolder::create(folder / "run", config);
  const auto mine = folder.write("mine.txt", "precious");
  for (const char* name : {"run/frames.jsonl", "run/overlay", "run/inputs/calib"}) {
    std::filesystem::create_directories((folder / name).parent_path());
    std::filesystem::create_symlink(mine, folder / name);
    test::expect_one_line([&] { RunFolder::resume(folder / "run", config); },
                          (folder / name).string(), "found a link");
    std::filesystem::remove(folder / name);
  }
  EXPECT_EQ(read_text_file(mine, 100), "precious");
}

TEST(RunFolder, AnOverlongNameIsNoTakenFolder) {
  const test::TempDir folder;
  test::expect_one_line([&] { RunFolder::create(folder / std::string(300, 'x'), {}); },
                        folder.path().string(), "File name too long");
}

TEST(RunFolder, OfAFrameThatWasDoneTwiceTheLaterRecordCounts) {
  const test::TempDir folder;
  RunFolder run = RunFolder::create(folder / "run", {});
  FrameRecord failed;
  failed.name = sample(1).name;
  failed.status = FrameStatus::failed;
  run.append(failed);
  run.append(sample(2));
  run.append(sample(1));
  const auto done = RunFolder::open(folder / "run").done();
  ASSERT_EQ(done.size(), 2U);
  EXPECT_EQ(done[0].name, sample(1).name);
  EXPECT_EQ(done[0].status, FrameStatus::ok);
}

TEST(RunFolder, ARunOfAnotherSchemaIsRefused) {
  const test::TempDir folder;
  RunFolder::create(folder / "run", {{"agents", 16}}).write_summary({});
  const auto parsed = [&](const char* file) {
    return nlohmann::json::parse(read_text_file(folder / "run" / file, 100'000));
  };
  EXPECT_EQ(parsed("config.json")["schema"], kSchema);
  EXPECT_EQ(parsed("summary.json")["schema"], kSchema);
  EXPECT_EQ(RunFolder::open(folder / "run").config(), (nlohmann::json{{"agents", 16}}));
  for (const char* old : {R"({"agents": 16})", R"({"agents": 16, "schema": 99})"}) {
    folder.write("run/config.json", old);
    const auto look = [&] { RunFolder::open(folder / "run"); };
    const auto go_on = [&] { RunFolder::resume(folder / "run", {{"agents", 16}}); };
    for (const std::string& message : {test::input_error_of(look), test::input_error_of(go_on)}) {
      EXPECT_NE(message.find("expected a run of schema 3, found"), std::string::npos) << message;
    }
  }
}

TEST(RunFolder, RunsOfTheSameSecondGetFoldersOfTheirOwn) {
  const test::TempDir folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  std::set<std::filesystem::path> paths;
  for (int k = 0; k < 5; ++k) paths.insert(fresh_run_path("segment"));
  EXPECT_EQ(paths.size(), 5U);
  for (const auto& path : paths) RunFolder::create(path, {});
  std::filesystem::current_path(before);
}

TEST(RunFolder, IsForOneRunAtATime) {
  const test::TempDir folder;
  const nlohmann::json config = {{"agents", 16}};
  {
    const RunFolder run = RunFolder::create(folder / "run", config);
    EXPECT_NE(test::input_error_of([&] {
                RunFolder::resume(folder / "run", config);
              }).find("a run that is under way"),
              std::string::npos);
    EXPECT_TRUE(RunFolder::open(folder / "run").done().empty());  // to look at it is no harm
  }
  EXPECT_TRUE(RunFolder::resume(folder / "run", config).done().empty());
}

TEST(RunFolder, NeverOverwritesAndRefusesAnotherConfiguration) {
  const test::TempDir folder;
  folder.write("run/mine.txt", "precious");
  EXPECT_NE(test::input_error_of([&] { RunFolder::create(folder / "run", {}); }).find("out: "),
            std::string::npos);
  RunFolder::create(folder / "other", {{"agents", 16}});
  EXPECT_NE(test::input_error_of([&] {
              RunFolder::resume(folder / "other", {{"agents", 8}});
            }).find("agents 16 as in the run to resume, found 8"),
            std::string::npos);
  folder.write("third/config.json", "{");
  EXPECT_NE(test::input_error_of([&] { RunFolder::resume(folder / "third", {}); }).find("JSON"),
            std::string::npos);
}

}  // namespace
}  // namespace roadplane
