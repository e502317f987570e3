#include "roadplane/kitti/label_file.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "roadplane/evaluation/class_set.hpp"
#include "support/data.hpp"
#include "support/input_error.hpp"
#include "support/temp_dir.hpp"

namespace roadplane::kitti {
namespace {

using test::expect_one_line;
using test::TempDir;

TEST(LabelFile, WhatWasWrittenIsRead) {
  const TempDir dir;
  const Labels labels{40, 0, 0x000A0028, 0xFFFFFFFF};
  write_labels(dir / "a.label", labels);
  EXPECT_EQ(read_labels(dir / "a.label", 4), labels);
  EXPECT_EQ(std::filesystem::file_size(dir / "a.label"), 16U);
}

TEST(LabelFile, TheCountMustBeTheScans) {
  const TempDir dir;
  const auto path = dir / "a.label";
  write_labels(path, Labels{1, 2, 3});
  expect_one_line([&] { read_labels(path, 4); }, path.string(), "3");
  expect_one_line([&] { read_labels(path, 2); }, path.string(), "3");
  const auto odd = dir.write("odd.label", "12345");
  expect_one_line([&] { read_labels(odd, 1); }, odd.string(), "5 bytes, not a multiple of 4");
  const auto empty = dir.write("empty.label", "");
  expect_one_line([&] { read_labels(empty, 1); }, empty.string(), "0");
  expect_one_line([&] { read_labels(dir.path(), 1); }, dir.path().string(), "a directory");
}

TEST(LabelFile, RealLabelsHoldRoad) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  const Labels labels = read_labels(kitti / "odometry/sequences/00/labels/000000.label", 124668);
  const auto mask = ClassSet::road().mask(labels);
  const auto road = std::accumulate(mask.begin(), mask.end(), 0);
  EXPECT_GT(road, 10000);
  EXPECT_LT(road, 100000);
}

}  // namespace
}  // namespace roadplane::kitti
