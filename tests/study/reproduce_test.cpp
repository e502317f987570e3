#include "roadplane/study/reproduce.hpp"

#include <gtest/gtest.h>

#include "figure3.hpp"
#include "heterogeneous.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "support/data.hpp"
#include "support/input_error.hpp"
#include "support/street.hpp"
#include "support/temp_dir.hpp"
#include "table2.hpp"

namespace roadplane {
namespace {

TEST(Reproduce, RefusesBadInputBeforeItBegins) {
  const test::TempDir folder;
  const auto run = [&](const std::string& name, const std::filesystem::path& data,
                       const std::filesystem::path& out) {
    return [=] { reproduce({.experiments = {name}, .data = data, .out = out}); };
  };
  test::expect_one_line(run("table3", folder.path(), folder / "out"), "experiment", "\"table3\"");
  test::expect_one_line(run("table1", folder / "none", folder / "out"), "data", "none");
  test::expect_one_line(run("table2", folder.path(), folder / "out"), (folder / "kitti").string(),
                        "no such folder");
  folder.write("used/file", "x");
  test::expect_one_line(run("table1", folder.path(), folder / "used"), "out", "used");
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST(RoadStudy, SaysWhichFrameIsMissing) {
  const test::TempDir folder;
  folder.write(
      "kitti/raw/2011_09_26/2011_09_26_drive_0005_sync/velodyne_points/data/0000000000.bin",
      std::string(16, '\0'));
  const std::string message = test::input_error_of([&] { find_road_frames(folder.path()); });
  EXPECT_NE(message.find("CITY-5/1"), std::string::npos) << message;
  EXPECT_NE(message.find("no frame 1"), std::string::npos) << message;
}

TEST(RoadStudy, WritesTableAndOverlaysOfASyntheticStreet) {
  const test::TempDir folder;
  const auto frames = kitti::open_dataset(test::write_street(folder / "street", 2, true)).frames;
  const std::vector<RoadFrame> roads = {{"STREET/0", frames[0], 1, 2},
                                        {"STREET/1", frames[1], 1, 2}};
  RoadStudyOptions options;
  options.agents = 4;
  make_folders(folder / "out");
  const RoadStudy study = measure_roads(roads, options, {}, folder / "out");
  ASSERT_EQ(study.records.size(), 5U);
  for (const FrameRecord& robust : study.records[4]) {
    EXPECT_EQ(robust.score->truth, "plane file");
    EXPECT_LT(robust.score->recovery_error, 0.01);
  }
  const Outcome outcome = write_table2(study, folder / "out");
  ASSERT_EQ(outcome.claims.size(), 1U + 3 * 3);
  EXPECT_FALSE(outcome.claims[0].agrees);  // no street has an error of 1
  const Outcome figure3 = write_figure3(study, folder / "out");
  ASSERT_EQ(figure3.claims.size(), 1U);
  bool better = true;
  for (const std::size_t f : {std::size_t{0}, std::size_t{1}}) {
    const FrameScore& vrsgt = *study.records[0][f].score;
    const FrameScore& drsgd = *study.records[1][f].score;
    ASSERT_TRUE(vrsgt.labels && drsgd.labels);
    better = better && vrsgt.labels->accuracy > drsgd.labels->accuracy;
    EXPECT_TRUE(std::filesystem::exists(folder / "out" / study.overlays[1][f]));
  }
  EXPECT_EQ(figure3.claims[0].agrees, better);
  const std::string csv = read_text_file(folder / "out/table2.csv", 1 << 20);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 10);
  EXPECT_TRUE(std::filesystem::exists(folder / "out/table2.png"));
  EXPECT_TRUE(std::filesystem::exists(folder / "out/table2.svg"));
}

/// The whole of Table 2 on the paper's own frames.
TEST(Table2, VrsgtRowIsWithinTenPercentOfThePapers) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  const test::TempDir folder;
  const RoadStudy study =
      measure_roads(find_road_frames(kitti.parent_path()), {}, {.threads = 2}, std::nullopt);
  const Outcome outcome = write_table2(study, folder.path());
  EXPECT_TRUE(outcome.claims[0].agrees) << outcome.claims[0].why;
  for (std::size_t f = 0; f < study.frames.size(); ++f) {
    const double error = study.records[0][f].score->recovery_error;
    EXPECT_NEAR(error / study.frames[f].paper_vrsgt, 1, 0.1) << study.frames[f].name;
    EXPECT_LT(study.records[0][f].gap.total(), 1e-8);
    EXPECT_LT(study.records[4][f].score->recovery_error, error);  // the robust objective
  }
}

/// Agents that hold road only, or none, and both methods at the same steps.
TEST(Heterogeneous, BothMethodsAreMeasuredAtTheSameSteps) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  const test::TempDir folder;
  HeterogeneousOptions options;
  options.networks = 1;
  options.steps = {0.02, 0.2};
  const Heterogeneous study =
      measure_heterogeneous(options, {.data = kitti.parent_path(), .threads = 2});
  const Outcome outcome = write_heterogeneous(study, folder.path());
  ASSERT_EQ(outcome.claims.size(), 3U);  // at each step, and each at its best
  for (const Claim& claim : outcome.claims) EXPECT_FALSE(claim.of_paper) << claim.claim;
  ASSERT_EQ(study.runs.size(), 8U);
  EXPECT_NEAR(study.runs[6].vrsgt, 4.13e-2, 2e-3);          // CITY-71/328, 0.02
  EXPECT_GT(study.runs[7].drsgd, 2 * study.runs[6].drsgd);  // the longer step leaves more
  EXPECT_TRUE(std::filesystem::exists(folder / "heterogeneous.png"));
}

}  // namespace
}  // namespace roadplane
