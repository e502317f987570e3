#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

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
  r.note = "a second plane";
  r.step = 0.7;
  r.step_halvings = 1;
  r.iterations = 128;
  r.rounds = 256;
  r.messages = 4096;
  r.bytes_per_agent = 12345.5;
  r.bytes_scan_per_agent = 1000;
  r.samples = 77;
  r.gap = {1e-20, 2e-20, 3e-20};
  r.consensus_error = 1e-11;
  r.score = FrameScore{"label:road", 0.001, 0.0011, 0.05, 0.002, {}};
  r.score->labels = {0.9, 0.8, 0.85, 0.74, 0.99, 0.86};
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
  for (const FrameRecord& record : {sample(1), failed, without_labels}) {
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
                          "bytes_per_agent",
                          "samples",
                          "stationarity_gap",
                          "consensus_error",
                          "recovery_error",
                          "recovery_error_worst_agent",
                          "angle_deg",
                          "height_error_m",
                          "precision",
                          "recall",
                          "f1",
                          "iou",
                          "auc",
                          "truth"}) {
    EXPECT_TRUE(j.contains(key)) << key;
  }
  EXPECT_EQ(j["w"].size(), 4U);
  EXPECT_EQ(j["plane"]["normal"].size(), 3U);
  EXPECT_TRUE(j["plane"].contains("offset_m"));
  for (const char* key : {"load", "whiten", "solve", "label", "draw"}) {
    EXPECT_TRUE(j["ms"].contains(key)) << key;
  }
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

TEST(Tables, MediansSkipFailedFrames) {
  std::vector<FrameRecord> records{sample(1), sample(2), sample(3)};
  records[1].score->recovery_error = 0.003;
  records[2].status = FrameStatus::failed;
  const nlohmann::json a = aggregate(records);
  EXPECT_EQ(a["frames"], 3);
  EXPECT_EQ(a["failed"], 1);
  EXPECT_DOUBLE_EQ(a["median"]["recovery_error"].get<double>(), 0.002);
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
