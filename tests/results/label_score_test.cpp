#include "roadplane/results/label_score.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace roadplane {
namespace {

LabelCounts counts(std::size_t hits, std::size_t false_alarms, std::size_t misses,
                   std::size_t rest) {
  LabelCounts c;
  c.all = c.by_distance[1] = {hits, false_alarms, misses, rest};
  c.left_out = 3;
  return c;
}

LabelScore sample() {
  LabelScore score{"ground", "patchworkpp", "positive: 40; left out: 0, 1, 70", {}, {}};
  score.frames = {{"00", "00/000000", counts(6, 2, 2, 10)},
                  {"00", "00/000001", counts(2, 0, 0, 8)},
                  {"04", "04/000000", counts(0, 0, 4, 0)}};
  score.problems = {"a.label: expected 5 labels, found 4"};
  return score;
}

TEST(LabelScore, SumsCountsOverASequenceAndMeansFrames) {
  const nlohmann::json j = to_json(sample());
  EXPECT_EQ(j["scoring"], "patchworkpp");
  EXPECT_EQ(j["sequences"]["00"]["true_positives"], 8);
  EXPECT_EQ(j["sequences"]["00"]["frames"], 2);
  EXPECT_EQ(j["sequences"]["00"]["left_out"], 6);
  EXPECT_DOUBLE_EQ(j["sequences"]["00"]["f1"], 16.0 / 20);
  EXPECT_DOUBLE_EQ(j["all"]["f1"], 16.0 / 24);
  EXPECT_DOUBLE_EQ(j["all"]["by_distance"]["10-20 m"]["accuracy"], 26.0 / 34);
  EXPECT_DOUBLE_EQ(j["all"]["by_distance"]["40+ m"]["accuracy"], 0);
  EXPECT_DOUBLE_EQ(j["mean_of_frames"]["f1"], (0.75 + 1 + 0) / 3);
  EXPECT_EQ(j["frames"][1]["name"], "00/000001");
  EXPECT_EQ(j["problems"].size(), 1U);
}

TEST(LabelScore, CsvSaysWhatJsonSays) {
  const nlohmann::json j = to_json(sample());
  std::istringstream lines(score_csv(sample()));
  std::string line;
  std::getline(lines, line);
  EXPECT_TRUE(line.starts_with("scoring,target,sequence,frame,distance,true_positives,"));
  const auto columns = std::count(line.begin(), line.end(), ',');
  std::size_t rows = 0;
  for (; std::getline(lines, line); ++rows) {
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), columns) << line;
    EXPECT_TRUE(line.starts_with("patchworkpp,ground,")) << line;
  }
  EXPECT_EQ(rows, (3U + 2 + 1) * 5) << "frames, sequences and all, each with its distances";
  EXPECT_NE(score_csv(sample()).find("\"00\",\"all\",all,8,2,2,18,0.8,0.8,0.8"), std::string::npos);
}

TEST(LabelScore, TextNamesTheScoringAndLimitsTheFrames) {
  const std::string text = score_text(sample(), 2);
  for (const char* part :
       {"scoring patchworkpp, target ground: positive: 40; left out: 0, 1, 70", "... and 1 more",
        "00, 2 frames", "04, 1 frame", "all, 3 frames", "mean of frames", "0-10 m", "0.6667"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  EXPECT_EQ(text.find("04/000000"), std::string::npos);
}

TEST(LabelScore, OfNothingIsNothing) {
  const LabelScore nothing{"road", "strict", "", {}, {}};
  EXPECT_EQ(to_json(nothing)["all"]["f1"], 0);
  EXPECT_EQ(to_json(nothing)["mean_of_frames"]["f1"], 0);
  EXPECT_NE(score_text(nothing, 5).find("mean of frames"), std::string::npos);
}

}  // namespace
}  // namespace roadplane
