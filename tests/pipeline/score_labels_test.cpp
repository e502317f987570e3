#include "roadplane/pipeline/score_labels.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>

#include "roadplane/kitti/dataset.hpp"
#include "roadplane/kitti/label_file.hpp"
#include "roadplane/kitti/scan_file.hpp"
#include "roadplane/pipeline/segment_sequence.hpp"
#include "support/data.hpp"
#include "support/input_error.hpp"
#include "support/street.hpp"
#include "support/temp_dir.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;
using kitti::Labels;

/// Two sequences of two frames, each of five points: two of road, terrain, low vegetation and a
/// building. What is predicted by default hits one road point and takes the vegetation for road.
class ScoreLabels : public testing::Test {
 protected:
  ScoreLabels() {
    for (const char* sequence : {"00", "04"}) {
      for (const char* stem : {"000000", "000001"}) {
        const fs::path folder = truth() / "sequences" / sequence;
        fs::create_directories(folder / "velodyne");
        fs::create_directories(folder / "labels");
        kitti::write_scan(folder / "velodyne" / (std::string(stem) + ".bin"),
                          Scan{{5, 0, -1.7F, 0},
                               {15, 0, -1.7F, 0},
                               {25, 0, -1.7F, 0},
                               {45, 0, -1.7F, 0},
                               {5, 0, 2, 0}});
        kitti::write_labels(folder / "labels" / (std::string(stem) + ".label"),
                            Labels{40, 60, 72, 70, 50});
        predict(fs::path("sequences") / sequence / "predictions", stem);
      }
    }
  }

  void predict(const fs::path& below, const std::string& stem,
               const Labels& labels = {40, 0, 0, 40, 0}) const {
    fs::create_directories(predictions() / below);
    kitti::write_labels(predictions() / below / (stem + ".label"), labels);
  }

  fs::path truth() const { return folder_ / "truth"; }
  fs::path predictions() const { return folder_ / "predictions"; }
  fs::path one(const char* stem) const {
    return predictions() / "sequences/04/predictions" / (std::string(stem) + ".label");
  }

  LabelScore score(const std::string& target = "road", const std::string& scoring = "strict",
                   const std::string& frames = "") const {
    ScoreConfig config{predictions(), truth()};
    config.target = target;
    config.scoring = scoring;
    config.frames = frames;
    return score_labels(config);
  }

  /// One problem of that file with that part of the message, and `scored` frames all the same.
  void expect_problem(const fs::path& file, const std::string& part, std::size_t scored) const {
    const LabelScore result = score();
    ASSERT_EQ(result.problems.size(), 1U);
    const std::string& line = result.problems[0];
    EXPECT_TRUE(line.starts_with(file.string() + ": expected ")) << line;
    EXPECT_NE(line.find(part), std::string::npos) << line;
    EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 0) << line;
    EXPECT_EQ(result.frames.size(), scored);
  }

  test::TempDir folder_;
};

void expect_counts(const LabelScore& score, std::size_t hits, std::size_t false_alarms,
                   std::size_t misses, std::size_t rest) {
  ASSERT_EQ(score.frames.size(), 4U);
  EXPECT_TRUE(score.problems.empty()) << score.problems[0];
  for (const LabelScore::Frame& frame : score.frames) {
    EXPECT_EQ(frame.counts.all.true_positives, hits);
    EXPECT_EQ(frame.counts.all.false_positives, false_alarms);
    EXPECT_EQ(frame.counts.all.false_negatives, misses);
    EXPECT_EQ(frame.counts.all.true_negatives, rest);
  }
}

TEST_F(ScoreLabels, CountsAsByHand) {
  expect_counts(score("road", "strict"), 1, 1, 1, 2);
  expect_counts(score("plane", "strict"), 1, 1, 1, 2);
  expect_counts(score("road", "patchworkpp"), 1, 0, 1, 2);
  expect_counts(score("road", "patchwork"), 1, 1, 1, 2);
  expect_counts(score("ground", "strict"), 1, 1, 2, 1);
  expect_counts(score("ground", "patchworkpp"), 1, 0, 2, 1);
  expect_counts(score("ground", "patchwork"), 2, 0, 2, 1);
  EXPECT_EQ(score().frames[3].name, "04/000001");
  EXPECT_EQ(score().frames[3].counts.by_distance[3].false_positives, 1U);
}

TEST_F(ScoreLabels, APredictionIsPositiveInAnyClassOfTheTarget) {
  for (const char* stem : {"000000", "000001"}) {
    for (const char* sequence : {"00", "04"}) {
      predict(fs::path("sequences") / sequence / "predictions", stem,
              {44, (9U << 16U) | 60, 48, 70, 72});
    }
  }
  expect_counts(score("road"), 2, 0, 0, 3);
  expect_counts(score("ground"), 3, 1, 0, 1);
}

TEST_F(ScoreLabels, UnderstandsTheLayoutsOfPredictions) {
  const std::string sums = to_json(score()).dump();
  fs::rename(predictions() / "sequences", folder_ / "bare");
  fs::remove_all(predictions());
  fs::rename(folder_ / "bare", predictions());  // 04/predictions/000000.label
  EXPECT_EQ(to_json(score()).dump(), sums);
  fs::remove_all(predictions());
  for (const char* sequence : {"00", "04"}) {
    for (const char* stem : {"000000", "000001"}) predict(sequence, stem);  // 04/000000.label
  }
  EXPECT_EQ(to_json(score()).dump(), sums);
  fs::remove_all(predictions());
  for (const char* stem : {"000000", "000001"}) predict("", stem);  // 000000.label
  ScoreConfig config{predictions(), truth() / "sequences/04"};
  EXPECT_EQ(score_labels(config).frames.size(), 2U);
  EXPECT_TRUE(score_labels(config).problems.empty());
}

TEST_F(ScoreLabels, FollowsLinksAndNamesThoseThatLeadNowhere) {
  fs::rename(predictions() / "sequences/04", folder_ / "elsewhere");
  fs::create_directory_symlink(folder_ / "elsewhere", predictions() / "sequences/04");
  EXPECT_EQ(score().frames.size(), 4U);
  EXPECT_TRUE(score().problems.empty());
  fs::remove(one("000001"));
  fs::create_symlink(folder_ / "nowhere", one("000001"));
  expect_problem(one("000001"), "found", 3);
}

TEST_F(ScoreLabels, TakesTargetAndFramesOfARunWhereTheyAreLeftOpen) {
  std::ofstream(predictions() / "config.json")
      << R"({"target": "ground", "sequence": "04", "frames": "1"})";
  const LabelScore of_run = score("auto");
  EXPECT_EQ(of_run.target, "ground");
  ASSERT_EQ(of_run.frames.size(), 1U);
  EXPECT_EQ(of_run.frames[0].name, "04/000001");
  EXPECT_TRUE(of_run.problems.empty()) << "frames that are not asked for are not too much";
  EXPECT_EQ(score("road", "strict", "0").frames.size(), 2U);
  for (const auto& [text, found] : {std::pair("", "not JSON"),
                                    {"{", "not JSON"},
                                    {"[]", "something else"},
                                    {R"({"target": 3})", "something else"},
                                    {R"({"target": "ground"})", "something else"}}) {
    std::ofstream(predictions() / "config.json") << text;
    test::expect_one_line([&] { score("auto"); }, (predictions() / "config.json").string(), found);
  }
  EXPECT_EQ(score("road", "strict", "0").frames.size(), 2U) << "not looked at";
}

TEST_F(ScoreLabels, NamesWhatIsMissing) {
  fs::remove(one("000001"));
  expect_problem(predictions(), "a label file of frame 04/000001, found none", 3);
}

TEST_F(ScoreLabels, NamesAMissingTruth) {
  fs::remove(truth() / "sequences/00/labels/000000.label");
  expect_problem(truth() / "sequences/00/velodyne/000000.bin", "labels or an annotation", 3);
}

TEST_F(ScoreLabels, NamesWhatIsTooMuch) {
  predict("sequences/04/predictions", "000009");
  expect_problem(one("000009"), "a frame of the truth, found none called 04/000009", 4);
}

TEST_F(ScoreLabels, NamesASequenceThatTheTruthDoesNotHave) {
  predict("sequences/05/predictions", "000000");
  expect_problem(predictions() / "sequences/05/predictions/000000.label", "05/000000", 4);
}

TEST_F(ScoreLabels, NamesASecondPredictionOfAFrame) {
  predict("sequences/04", "000000");
  const LabelScore result = score();
  EXPECT_EQ(result.frames.size(), 4U);
  ASSERT_EQ(result.problems.size(), 1U);
  EXPECT_NE(result.problems[0].find("one prediction of frame 04/000000, found also"),
            std::string::npos);
}

TEST_F(ScoreLabels, NamesAFileWhoseSequenceIsNotClear) {
  predict("", "000000");
  expect_problem(predictions() / "000000.label", "frames 000000 in several sequences", 4);
}

TEST_F(ScoreLabels, NamesShortLongAndDamagedFiles) {
  fs::resize_file(one("000000"), 16);
  expect_problem(one("000000"), "5 labels, one for each point of the scan, found 4", 3);
  fs::resize_file(one("000000"), 24);
  expect_problem(one("000000"), "found 6", 3);
  fs::resize_file(one("000000"), 19);
  expect_problem(one("000000"), "19 bytes, not a multiple of 4", 3);
  fs::resize_file(one("000000"), 0);
  expect_problem(one("000000"), "found 0", 3);
  fs::remove(one("000000"));
  fs::create_directory(one("000000"));
  expect_problem(one("000000"), "a directory", 3);
}

TEST_F(ScoreLabels, NamesADamagedTruth) {
  const fs::path labels = truth() / "sequences/04/labels/000000.label";
  fs::resize_file(labels, 18);
  expect_problem(labels, "18 bytes", 3);
  kitti::write_labels(labels, Labels{40, 60, 72, 70});
  expect_problem(labels, "found 4", 3);
  kitti::write_labels(labels, Labels{40, 60, 72, 70, 50});
  const fs::path scan = truth() / "sequences/04/velodyne/000000.bin";
  fs::resize_file(scan, 70);
  expect_problem(scan, "70", 3);
}

TEST_F(ScoreLabels, RefusesWhatCannotBeScoredAtAll) {
  const auto refused = [](const fs::path& predictions, const fs::path& truth, const fs::path& where,
                          const std::string& found) {
    test::expect_one_line([&] { score_labels({predictions, truth}); }, where.string(), found);
  };
  const fs::path nowhere = folder_ / "nowhere";
  const fs::path empty = folder_ / "empty";
  const fs::path others = folder_ / "others";
  fs::create_directories(empty);
  folder_.write("others/sequences/07/predictions/000000.label", "");
  refused(nowhere, truth(), nowhere, "nothing of that name");
  refused(one("000000"), truth(), one("000000"), "a file");
  refused(empty, truth(), empty, "none");
  refused(others, truth(), others, "others only");
  refused(predictions(), nowhere, nowhere, "no such file or folder");
  EXPECT_TRUE(
      test::input_error_of([&] {
        score_labels({predictions(), empty});
      }).starts_with(empty.string() + ": expected a data set, a recording or a scan, found"));
  test::expect_one_line([&] { score("roads"); }, "target", "\"roads\"");
  test::expect_one_line([&] { score("road", "B"); }, "scoring", "\"B\"");
  test::expect_one_line([&] { score("road", "strict", "7"); }, "frames", "7");
  test::expect_one_line([&] { score("road", "strict", "x"); }, "frames", "\"x\"");
}

/// Exactly, not nearly: both count the same points.
void expect_same(const LabelScore& score, const std::vector<FrameRecord>& records) {
  ASSERT_EQ(score.frames.size(), records.size());
  for (std::size_t k = 0; k < records.size(); ++k) {
    const Confusion& c = score.frames[k].counts.all;
    ASSERT_TRUE(records[k].score && records[k].score->labels) << records[k].error;
    const FrameScore::Labels& labels = *records[k].score->labels;
    EXPECT_EQ(score.frames[k].name, records[k].name);
    EXPECT_EQ(score.scoring, labels.scoring);
    EXPECT_EQ(c.precision(), labels.precision);
    EXPECT_EQ(c.recall(), labels.recall);
    EXPECT_EQ(c.f1(), labels.f1);
    EXPECT_EQ(c.iou(), labels.iou);
    EXPECT_EQ(c.accuracy(), labels.accuracy);
  }
}

TEST(ScoreOfARun, IsWhatSegmentGives) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 2);
  for (const char* target : {"plane", "road", "ground"}) {
    for (const char* scoring : {"strict", "patchworkpp", "patchwork"}) {
      SegmentConfig config;
      config.save = "label";
      config.target = target;
      config.scoring = scoring;
      const fs::path out = folder / (std::string(target) + scoring);
      RunFolder run = RunFolder::create(out, to_json(config));
      const std::atomic<bool> stop{false};
      const auto records = segment_sequence(
          kitti::open_dataset(street).frames, SegmentPlan(config), run, 1, [](const auto&) {},
          stop);
      ScoreConfig asked{out, street};
      asked.scoring = scoring;
      const LabelScore score = score_labels(asked);
      EXPECT_EQ(score.target, target);
      EXPECT_TRUE(score.problems.empty());
      expect_same(score, records);
    }
  }
}

TEST(ScoreOfARun, OfAnAnnotatedFrameIsWhatSegmentGives) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  const test::TempDir folder;
  const fs::path annotations = kitti / "dpcp_annotations/09_29_071";
  const auto frames = kitti::open_dataset(annotations).frames;
  SegmentConfig config;
  config.save = "label";
  config.target = "plane";
  RunFolder run = RunFolder::create(folder / "out", to_json(config));
  const std::atomic<bool> stop{false};
  const auto records = segment_sequence(
      frames, SegmentPlan(config), run, 1, [](const auto&) {}, stop);
  ScoreConfig asked{folder / "out", annotations};
  expect_same(score_labels(asked), records);
  asked.scoring = "patchwork";
  test::expect_one_line([&] { score_labels(asked); }, "scoring", "patchwork");
}

}  // namespace
}  // namespace roadplane
