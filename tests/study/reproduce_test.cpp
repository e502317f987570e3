#include "roadplane/study/reproduce.hpp"

#include <gtest/gtest.h>

#include "roadplane/base/file.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "roadplane/study/figure3.hpp"
#include "roadplane/study/table2.hpp"
#include "support/data.hpp"
#include "support/input_error.hpp"
#include "support/street.hpp"
#include "support/temp_dir.hpp"

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
  for (RoadMethod& method : options.methods) method.epochs = std::min(method.epochs, 5);
  make_folders(folder / "out");
  const RoadStudy study = measure_roads(roads, options, {}, folder / "out");
  ASSERT_EQ(study.records.size(), 4U);
  for (const FrameRecord& robust : study.records[3]) {
    EXPECT_EQ(robust.score->truth, "plane file");
    EXPECT_LT(robust.score->recovery_error, 0.01);
  }
  EXPECT_FALSE(write_table2(study, folder / "out").agrees);  // no street has an error of 1
  EXPECT_TRUE(write_figure3(study, folder / "out").agrees);
  const std::string csv = read_text_file(folder / "out/table2.csv", 1 << 20);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 8);
  EXPECT_TRUE(std::filesystem::exists(folder / "out/table2.png"));
}

/// The whole of Table 2 on the paper's own frames.
TEST(Table2, VrsgtRowIsWithinTenPercentOfThePapers) {
  ROADPLANE_KITTI_OR_SKIP(kitti);
  const test::TempDir folder;
  const RoadStudy study =
      measure_roads(find_road_frames(kitti.parent_path()), {}, {.threads = 2}, std::nullopt);
  const Outcome outcome = write_table2(study, folder.path());
  EXPECT_TRUE(outcome.agrees) << outcome.verdict;
  for (std::size_t f = 0; f < study.frames.size(); ++f) {
    const double error = study.records[0][f].score->recovery_error;
    EXPECT_NEAR(error / study.frames[f].paper_vrsgt, 1, 0.1) << study.frames[f].name;
    EXPECT_LT(study.records[0][f].gap.total(), 1e-15);
    EXPECT_LT(study.records[3][f].score->recovery_error, error);  // the robust objective
  }
}

}  // namespace
}  // namespace roadplane
