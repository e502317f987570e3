#include "roadplane/evaluation/scoring.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "roadplane/evaluation/confusion.hpp"
#include "support/input_error.hpp"

namespace roadplane {
namespace {

using Mask = std::vector<std::uint8_t>;

/// A point of every kind that a scoring tells apart, and what somebody labelled it.
struct Sample {
  std::uint32_t label;
  float z;
  std::uint8_t labelled;
};
constexpr Sample kSamples[] = {
    {40, -1.7F, 1},            // road, found
    {44, -1.7F, 1},            // parking, found
    {60, -1.7F, 0},            // lane marking, missed
    {48, -1.6F, 1},            // sidewalk, found
    {49, -1.2F, 0},            // other ground, missed
    {72, -1.5F, 1},            // terrain, found
    {(7U << 16U) | 40, 0, 1},  // road of an object, found
    {70, -1.5F, 1},            // vegetation, low
    {70, -1.4F, 0},            // vegetation, low
    {70, -1.3F, 1},            // vegetation, not below -1.3 m
    {70, 1.0F, 0},             // vegetation, high
    {0, -1.7F, 1},             // unlabelled
    {1, -1.7F, 1},             // outlier
    {1, 2.0F, 0},              // outlier
    {50, 0.5F, 0},             // building
    {10, -0.5F, 1},            // car, taken for ground
    {70U << 16U, 0, 0},        // unlabelled, of object 70
};

Confusion score(Scoring scoring, const ClassSet& positive) {
  Scan points;
  std::vector<std::uint32_t> labels;
  Mask labelled;
  for (const Sample& s : kSamples) {
    points.push_back({5, 0, s.z, 0});
    labels.push_back(s.label);
    labelled.push_back(s.labelled);
  }
  return compare_labels(labelled, scored_truth(scoring, positive, points, labels));
}

void expect_counts(const Confusion& c, std::size_t hits, std::size_t false_alarms,
                   std::size_t misses, std::size_t rest) {
  EXPECT_EQ(c.true_positives, hits);
  EXPECT_EQ(c.false_positives, false_alarms);
  EXPECT_EQ(c.false_negatives, misses);
  EXPECT_EQ(c.true_negatives, rest);
}

TEST(Scoring, OfGroundCountsAsByHand) {
  // All 17: vegetation twice, unlabelled, outlier and car are false alarms.
  expect_counts(score(Scoring::strict, ClassSet::ground()), 5, 5, 2, 5);
  // Less 4 of vegetation, 2 unlabelled, 2 outliers.
  expect_counts(score(Scoring::patchworkpp, ClassSet::ground()), 5, 1, 2, 1);
  // Less 2 unlabelled and 2 outliers; low vegetation is a hit and a miss.
  expect_counts(score(Scoring::patchwork, ClassSet::ground()), 6, 2, 3, 2);
}

TEST(Scoring, OfARoadTakesNoVegetationForIt) {
  expect_counts(score(Scoring::strict, ClassSet::road()), 3, 7, 1, 6);
  expect_counts(score(Scoring::patchworkpp, ClassSet::road()), 3, 3, 1, 2);
  expect_counts(score(Scoring::patchwork, ClassSet::road()), 3, 5, 1, 4);
}

TEST(Scoring, AClassThatIsAskedForIsNeverLeftOut) {
  const auto vegetation = ClassSet::parse("vegetation,0");
  for (const Scoring scoring : {Scoring::patchworkpp, Scoring::patchwork}) {
    const Confusion c = score(scoring, vegetation);
    EXPECT_EQ(c.true_positives, 3U);   // two of vegetation, one unlabelled
    EXPECT_EQ(c.false_negatives, 3U);  // two of vegetation, one unlabelled
    EXPECT_EQ(c.points(), 15U);        // all but the outliers
  }
}

TEST(Scoring, SaysInWordsWhatItDoes) {
  EXPECT_EQ(rule_of(Scoring::strict, ClassSet::road()), "positive: 40, 44, 60; left out: none");
  EXPECT_EQ(rule_of(Scoring::patchworkpp, ClassSet::ground()),
            "positive: 40, 44, 48, 49, 60, 72; left out: 0, 1, 70");
  EXPECT_EQ(rule_of(Scoring::patchwork, ClassSet::ground()),
            "positive: 40, 44, 48, 49, 60, 72, 70 below -1.3 m; left out: 0, 1");
  EXPECT_EQ(rule_of(Scoring::patchwork, ClassSet::road()), "positive: 40, 44, 60; left out: 0, 1");
}

TEST(Scoring, HasNames) {
  for (const Scoring scoring : {Scoring::strict, Scoring::patchworkpp, Scoring::patchwork}) {
    EXPECT_EQ(scoring_from_string(to_string(scoring)), scoring);
  }
  for (const char* name : {"", "Strict", "patchwork++", "B"}) {
    test::expect_one_line([&] { scoring_from_string(name); }, "scoring", "\"");
  }
  EXPECT_THROW(scored_truth(Scoring::strict, ClassSet::road(), Scan(2, Point{}),
                            std::vector<std::uint32_t>{40}),
               std::invalid_argument);
}

TEST(Scoring, WhatIsLeftOutCountsNowhere) {
  const Mask truth{kPositive, kPositive, kNegative, kNegative, kLeftOut, kLeftOut};
  const std::vector<float> residuals{0.1F, 0.2F, 0.3F, 0.4F, 0.05F, 9.0F};
  EXPECT_EQ(compare_labels(Mask{1, 0, 0, 0, 1, 1}, truth).points(), 4U);
  EXPECT_DOUBLE_EQ(area_under_curve(residuals, truth), 1);
  EXPECT_DOUBLE_EQ(best_f1(residuals, truth), 1);
}

}  // namespace
}  // namespace roadplane
