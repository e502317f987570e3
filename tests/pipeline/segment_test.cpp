#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/json/read_json.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "roadplane/kitti/frame_selection.hpp"
#include "roadplane/kitti/label_file.hpp"
#include "roadplane/kitti/scan_file.hpp"
#include "roadplane/pipeline/segment_frame.hpp"
#include "roadplane/pipeline/segment_scan.hpp"
#include "roadplane/pipeline/segment_sequence.hpp"
#include "support/data.hpp"
#include "support/input_error.hpp"
#include "support/street.hpp"
#include "support/temp_dir.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;

std::string without_times(const FrameRecord& record) {
  nlohmann::json j = to_json(record);
  j.erase("ms");
  return j.dump();
}

SegmentConfig quick(const char* save = "label") {
  SegmentConfig config;
  config.save = save;
  return config;
}

TEST(Segment, RowsOfAnyLengthGiveWhatAScanGives) {
  const test::TempDir folder;
  const auto dataset = kitti::open_dataset(test::write_street(folder / "street", 1));
  Scan scan = kitti::load_scan(dataset.frames.at(0));
  for (Point& p : scan) p.reflectance = 0;  // rows that are not four floats long have none
  for (const char* target : {"plane", "road", "ground"}) {
    SegmentConfig config;
    config.target = target;
    const Segmentation expected = segment_scan(scan, SegmentPlan(config));
    for (const std::size_t columns : {3U, 5U}) {
      std::vector<float> floats(scan.size() * columns);
      for (std::size_t k = 0; k < scan.size(); ++k) {
        std::copy_n(&scan[k].x, 3, &floats[k * columns]);
      }
      const PointRows rows(floats.data(), scan.size(), columns,
                           static_cast<std::ptrdiff_t>(columns));
      const Segmentation result = segment_scan(rows, SegmentPlan(config));
      EXPECT_EQ(without_times(result.record), without_times(expected.record));
      EXPECT_EQ(result.labels.road, expected.labels.road);
      EXPECT_EQ(result.labels.residuals, expected.labels.residuals);
    }
  }
}

TEST(Segment, AFrameGivesLabelsPlaneAndScores) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 1, true);
  const auto dataset = kitti::open_dataset(street);
  const SegmentPlan plan(quick("label,overlay,birdseye,ply,pcd,trace"));
  const FrameRecord record = segment_frame(dataset.frames.at(0), plan, folder / "out");
  EXPECT_EQ(record.status, FrameStatus::ok) << record.error;
  EXPECT_NEAR(record.w.norm(), 1, 1e-12);
  EXPECT_GT(record.plane.normal.z(), 0.99);
  ASSERT_TRUE(record.score);
  EXPECT_LT(record.score->recovery_error, 0.0016);
  ASSERT_TRUE(record.score->labels);
  EXPECT_GT(record.score->labels->f1, 0.95);
  const kitti::Labels labels =
      kitti::read_labels(folder / "out/sequences/00/predictions/000000.label", record.points);
  EXPECT_EQ(static_cast<std::size_t>(std::count(labels.begin(), labels.end(), 40U)),
            record.inliers);
  for (const char* file : {"overlay/00/000000.png", "birdseye/00/000000.png", "ply/00/000000.ply",
                           "pcd/00/000000.pcd", "trace/00/000000.csv"}) {
    EXPECT_TRUE(fs::exists(folder / "out" / file)) << file;
  }
}

TEST(Segment, PicturesAreOfTheFormatAskedFor) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 1);
  SegmentConfig config = quick("overlay,birdseye,relief");
  config.target = "ground";
  config.image_format = "jpeg";
  const auto frames = kitti::open_dataset(street).frames;
  const FrameRecord record = segment_frame(frames.at(0), SegmentPlan(config), folder / "out");
  EXPECT_EQ(record.status, FrameStatus::ok) << record.error;
  for (const char* kind : {"overlay", "birdseye", "relief"}) {
    EXPECT_TRUE(fs::exists(folder / "out" / kind / "00/000000.jpg")) << kind;
    EXPECT_FALSE(fs::exists(folder / "out" / kind / "00/000000.png")) << kind;
  }
}

TEST(Segment, WhicheverFileOfAFrameIsGoneIsMissed) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 1);
  SegmentConfig config = quick("label,overlay,birdseye,ply,pcd,relief,trace");
  config.target = "ground";
  const SegmentPlan plan(config);
  const auto frames = kitti::open_dataset(street).frames;
  const fs::path out = folder / "out";
  const std::vector<FrameRecord> records{segment_frame(frames.at(0), plan, out)};
  EXPECT_TRUE(lost_files(frames, plan, records, out).empty());
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(out)) {
    if (!entry.is_regular_file()) continue;
    const fs::path& path = entry.path();
    fs::rename(path, folder / "aside");
    EXPECT_EQ(lost_files(frames, plan, records, out), std::vector<fs::path>{path}) << path;
    fs::rename(folder / "aside", path);
    ++files;
  }
  EXPECT_GT(files, 7);
}

TEST(Segment, EdgesAreSavedAndMissedWhereTheyAreGone) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 1);
  const auto frames = kitti::open_dataset(street).frames;
  const SegmentPlan plan(quick("label,edges"));
  const fs::path out = folder / "out", file = out / "edges/00/000000.json";
  const std::vector<FrameRecord> records{segment_frame(frames.at(0), plan, out)};
  ASSERT_TRUE(fs::exists(file)) << records[0].error;
  const nlohmann::json edges = read_json(file, 1 << 20);
  EXPECT_EQ(edges["frame"], "sensor");
  EXPECT_EQ(edges["left"]["points"].size(), edges["right"]["points"].size());
  EXPECT_EQ(edges["left"]["points"].size(), edges["left"]["beyond"].size());
  EXPECT_EQ(edges["area"].size(), 2 * edges["left"]["points"].size());
  EXPECT_EQ(edges["sectors"].size(), 360U);
  EXPECT_GT(edges["area_m2"], 100);
  for (const auto& width : edges["widths"]) {
    if (width["at_m"] != 5) continue;
    ASSERT_TRUE(records[0].road_width[0]);
    EXPECT_NEAR(width["width_m"], records[0].road_width[0]->width_m, 1e-3);
  }
  EXPECT_TRUE(lost_files(frames, plan, records, out).empty());
  fs::remove(file);
  EXPECT_EQ(lost_files(frames, plan, records, out), std::vector<fs::path>{file});
}

TEST(Segment, EdgesAreOfTheRoadAlone) {
  for (const char* target : {"ground", "plane"}) {
    SegmentConfig config = quick("edges");
    config.target = target;
    EXPECT_THROW(SegmentPlan{config}, FieldError) << target;
  }
}

/// The column of that name of a trace that was saved with such growth; empty if there is none.
std::vector<double> trace_column(const std::string& name, const std::string& truth, double growth) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 1);
  SegmentConfig config = quick("trace");
  config.truth = truth;
  config.trace_growth = growth;
  segment_frame(kitti::open_dataset(street).frames.at(0), SegmentPlan(config), folder / "out");
  std::istringstream lines(read_text_file(folder / "out/trace/00/000000.csv", 1 << 20));
  std::string heading;
  std::getline(lines, heading);
  if (!heading.ends_with("," + name)) return {};
  std::vector<double> column;
  for (std::string line; std::getline(lines, line);) {
    column.push_back(std::stod(line.substr(line.rfind(',') + 1)));
  }
  return column;
}

TEST(Segment, ATraceHoldsTheRecoveryErrorsWhereThereIsATruth) {
  const auto fine = trace_column("recovery_error", "auto", 1.12);
  ASSERT_GT(fine.size(), 3U);
  for (const double error : fine) EXPECT_TRUE(error > 0 && error < 0.004) << error;
  const auto coarse = trace_column("recovery_error", "auto", 10);
  EXPECT_LT(coarse.size(), fine.size());
  EXPECT_EQ(coarse.back(), fine.back());  // looking changes nothing
  EXPECT_TRUE(trace_column("recovery_error", "none", 1.12).empty());
}

TEST(Segment, GroundIsLabelledFromTheReliefAndTheReliefIsRecordedAndSaved) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 1);
  const auto frames = kitti::open_dataset(street).frames;
  SegmentConfig config = quick("label,relief");
  config.target = "ground";
  const FrameRecord relief = segment_frame(frames.at(0), SegmentPlan(config), folder / "relief");
  EXPECT_EQ(relief.status, FrameStatus::ok) << relief.error;
  ASSERT_TRUE(relief.relief);
  EXPECT_LT(relief.relief->low_m, relief.relief->high_m);
  EXPECT_GT(relief.relief->roughness_m, 0);
  EXPECT_EQ(relief.threshold, "adaptive");
  ASSERT_TRUE(relief.score && relief.score->labels);
  EXPECT_TRUE(fs::exists(folder / "relief/relief/00/000000.png"));
  EXPECT_TRUE(fs::exists(folder / "relief/relief/00/000000/agent_15.csv"));

  config = quick();
  config.target = "ground";
  config.surface = "plane";
  const FrameRecord plane = segment_frame(frames.at(0), SegmentPlan(config), folder / "plane");
  EXPECT_FALSE(plane.relief);
  EXPECT_EQ(plane.threshold, "0.3m");
  EXPECT_EQ(plane.w, relief.w);
  EXPECT_GT(relief.rounds, plane.rounds);  // what stands is told
  EXPECT_GT(relief.score->labels->f1, plane.score->labels->f1);
}

TEST(RealSegment, GroundOfSemanticKitti) {
  ROADPLANE_KITTI_OR_SKIP(data);
  const test::TempDir folder;
  const std::vector<std::pair<std::string, double>> least{
      {"00/000000", 0.970}, {"00/000001", 0.966}, {"00/000052", 0.942},
      {"00/000850", 0.976}, {"04/000056", 0.929}, {"08/000720", 0.970}};
  SegmentConfig config = quick("none");
  config.target = "ground";
  const SegmentPlan plan(config);
  for (const auto& [name, f1] : least) {
    const auto sequence = data / "odometry/sequences" / name.substr(0, 2);
    for (const kitti::Frame& frame : kitti::open_dataset(sequence).frames) {
      if (frame.name() != name) continue;
      const FrameRecord record = segment_frame(frame, plan, folder / "out");
      ASSERT_TRUE(record.score && record.score->labels) << name << record.error;
      EXPECT_GT(record.score->labels->f1, f1) << name;
    }
  }
}

TEST(Segment, ResultsDoNotDependOnTheNumberOfJobs) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 4);
  const auto frames = kitti::open_dataset(street).frames;
  const SegmentPlan plan(quick());
  const std::atomic<bool> stop{false};
  std::vector<std::string> results[2];
  for (const int jobs : {1, 3}) {
    RunFolder run = RunFolder::create(folder / std::to_string(jobs), {});
    const auto records = segment_sequence(
        frames, plan, run, jobs, [](const auto&) {}, stop);
    for (const auto& record : records) results[jobs == 1 ? 0 : 1].push_back(without_times(record));
  }
  EXPECT_EQ(results[0].size(), 4U);
  EXPECT_EQ(results[0], results[1]);
}

TEST(Segment, BadFramesAreRecordedAndTheOthersGoOn) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 5, true);
  fs::resize_file(street / "velodyne/000001.bin", 16 * 100 + 7);  // truncated
  fs::remove(street / "image_2/000002.png");
  fs::resize_file(street / "labels/000003.label", 4 * 10);
  std::ofstream(street / "image_2/000004.png") << "not a picture";
  const auto frames = kitti::open_dataset(street).frames;
  const SegmentPlan plan(quick("label,overlay"));
  RunFolder run = RunFolder::create(folder / "out", {});
  const std::atomic<bool> stop{false};
  const auto records = segment_sequence(
      frames, plan, run, 2, [](const auto&) {}, stop);
  ASSERT_EQ(records.size(), 5U);
  EXPECT_EQ(records[0].status, FrameStatus::ok);
  EXPECT_EQ(records[1].status, FrameStatus::failed);
  EXPECT_NE(records[1].error.find("000001.bin: expected"), std::string::npos);
  EXPECT_EQ(records[2].status, FrameStatus::ok);  // a bird's-eye view instead
  EXPECT_TRUE(fs::exists(folder / "out/overlay/00/000002.png"));
  EXPECT_EQ(records[3].status, FrameStatus::incomplete);
  EXPECT_NE(records[3].error.find("000003.label"), std::string::npos);
  EXPECT_TRUE(fs::exists(folder / "out/sequences/00/predictions/000003.label"));
  EXPECT_EQ(records[4].status, FrameStatus::incomplete);
  EXPECT_NE(records[4].error.find("000004.png"), std::string::npos);
  EXPECT_TRUE(fs::exists(folder / "out/overlay/00/000004.png"));  // from above
  EXPECT_FALSE(fs::exists(folder / "out/sequences/00/predictions/000001.label"));
}

TEST(Segment, LostLabelsAreMadeAgainAndBadFramesWhenAskedTo) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 4);
  const std::string whole = read_text_file(street / "velodyne/000003.bin", 1 << 30);
  fs::resize_file(street / "velodyne/000003.bin", 7);
  const auto frames = kitti::open_dataset(street).frames;
  const SegmentPlan plan(quick());
  const std::atomic<bool> stop{false};
  const auto run_again = [&](Again again) {
    RunFolder run = RunFolder::resume(folder / "out", {});
    ThreadScheduler scheduler(1);
    std::vector<std::string> done;
    const auto records = segment_sequence(
        frames, plan, &run, again, scheduler,
        [&](const FrameRecord& record) { done.push_back(record.name); }, stop);
    EXPECT_EQ(records.size(), 4U);
    return std::pair(done, records[3].status);
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(run_again(Again::nothing).first.size(), 4U);
  EXPECT_EQ(run_again(Again::nothing).first, Names{});
  const fs::path predictions = folder / "out/sequences/00/predictions";
  fs::remove(predictions / "000000.label");
  fs::resize_file(predictions / "000002.label", 8);
  EXPECT_EQ(run_again(Again::nothing).first, (Names{"00/000000", "00/000002"}));
  EXPECT_TRUE(fs::exists(predictions / "000000.label"));
  EXPECT_EQ(run_again(Again::bad_frames).second, FrameStatus::failed);
  write_file_atomically(street / "velodyne/000003.bin", whole);
  EXPECT_EQ(run_again(Again::bad_frames), std::pair(Names{"00/000003"}, FrameStatus::ok));
  EXPECT_EQ(run_again(Again::bad_frames).first, Names{});
}

TEST(Segment, AFrameWithNoPointInViewOfTheCameraIsReported) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 1, true);
  Scan behind = kitti::load_scan(kitti::open_dataset(street).frames.at(0));
  std::erase_if(behind, [](const Point& p) { return p.x > -1; });
  kitti::write_scan(street / "velodyne/000000.bin", behind);
  SegmentConfig config = quick("overlay");
  config.truth = "none";
  const auto frames = kitti::open_dataset(street).frames;
  const FrameRecord record = segment_frame(frames.at(0), SegmentPlan(config), folder / "out");
  EXPECT_EQ(record.status, FrameStatus::incomplete);
  EXPECT_NE(record.error.find("000000.png: expected points in view of the camera, found none"),
            std::string::npos);
  EXPECT_TRUE(fs::exists(folder / "out/overlay/00/000000.png"));  // from above instead
}

TEST(Segment, AgentsThatDoNotAgreeMakeAFrameIncomplete) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 1);
  SegmentConfig config = quick("none");
  config.objective = "l3";
  config.surface = "plane";
  config.topology = "path";
  config.iterations = 3;
  const auto frames = kitti::open_dataset(street).frames;
  const FrameRecord record = segment_frame(frames.at(0), SegmentPlan(config), {});
  EXPECT_EQ(record.status, FrameStatus::incomplete);
  EXPECT_NE(record.error.find("expected agents that agree"), std::string::npos);
}

TEST(Segment, ATruthThatIsAskedForMustBeThere) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 1);
  fs::remove_all(street / "labels");
  SegmentConfig config = quick("none");
  config.truth = "ground";
  const auto frames = kitti::open_dataset(street).frames;
  const FrameRecord record = segment_frame(frames.at(0), SegmentPlan(config), {});
  EXPECT_EQ(record.status, FrameStatus::incomplete);
  EXPECT_NE(
      record.error.find("expected a label file beside it, to score ground against, found none"),
      std::string::npos);
}

TEST(Segment, AFolderThatCannotBeWrittenIsRecordedForEveryFrame) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 3);
  const auto frames = kitti::open_dataset(street).frames;
  RunFolder run = RunFolder::create(folder / "out", {});
  folder.write("out/sequences", "a file where a folder should be");
  const std::atomic<bool> stop{false};
  const SegmentPlan plan(quick());
  const auto records = segment_sequence(
      frames, plan, run, 2, [](const auto&) {}, stop);
  for (const FrameRecord& record : records) EXPECT_NE(record.status, FrameStatus::ok);
  EXPECT_EQ(records.size(), 3U);
}

TEST(Segment, DegenerateScansFailWithAReason) {
  const test::TempDir folder;
  const Scan scan(100, Point{1, 2, 3, 0});
  kitti::write_scan(folder / "0.bin", scan);
  const auto frames = kitti::open_dataset(folder.path()).frames;
  const FrameRecord record = segment_frame(frames.at(0), SegmentPlan(quick()), folder / "out");
  EXPECT_EQ(record.status, FrameStatus::failed);
  EXPECT_NE(record.error.find("found all points are identical"), std::string::npos);
  EXPECT_EQ(record.termination, "degenerate input");
}

TEST(Segment, EveryBadFieldIsNamed) {
  const auto refusal = [](const auto& spoil) {
    SegmentConfig config;
    spoil(config);
    return test::input_error_of([&] { SegmentPlan{config}; });
  };
  EXPECT_EQ(refusal([](auto& c) { c.topology = "torus"; }),
            "topology: expected erdos-renyi:PROBABILITY, ring, star, complete, grid, path or a "
            ".json file, found \"torus\"");
  EXPECT_TRUE(refusal([](auto& c) { c.topology = "erdos-renyi:x"; }).starts_with("topology"));
  EXPECT_TRUE(refusal([](auto& c) { c.topology = "none.json"; }).starts_with("topology: none"));
  EXPECT_TRUE(refusal([](auto& c) { c.topology = "erdos-renyi:2"; }).starts_with("topology"));
  EXPECT_TRUE(refusal([](auto& c) { c.agents = 10'000; }).starts_with("topology"));
  EXPECT_TRUE(refusal([](auto& c) { c.mixing = "uniform"; }).starts_with("mixing"));
  EXPECT_TRUE(refusal([](auto& c) { c.links = "drop=2"; }).starts_with("links: drop"));
  EXPECT_TRUE(refusal([](auto& c) { c.links = "leave=16@9"; }).starts_with("links: leave"));
  EXPECT_TRUE(refusal([](auto& c) { c.wire = "bits=3"; }).starts_with("wire: expected auto, full"));
  EXPECT_TRUE(refusal([](auto& c) { c.truth = "none.json"; }).starts_with("truth: none.json"));
  EXPECT_TRUE(refusal([](auto& c) { c.save = ""; }).starts_with("save"));
  EXPECT_TRUE(refusal([](auto& c) { c.shards = "rings"; }).starts_with("shards"));
  EXPECT_TRUE(refusal([](auto& c) { c.solver = "adam"; }).starts_with("solver"));
  EXPECT_TRUE(refusal([](auto& c) { c.objective = "l7"; }).starts_with("objective"));
  EXPECT_TRUE(refusal([](auto& c) { c.threshold = "5"; }).starts_with("threshold"));
  EXPECT_TRUE(refusal([](auto& c) { c.surface = "hill"; }).starts_with("surface"));
  EXPECT_TRUE(refusal([](auto& c) {
                c.target = "ground";
                c.surface = "road";
              }).starts_with("surface"));
  EXPECT_TRUE(refusal([](auto& c) {
                c.save = "relief";
                c.surface = "plane";
              }).starts_with("save"));
  EXPECT_TRUE(refusal([](auto& c) {
                c.target = "ground";
                c.threshold = "0.01rad";
              }).starts_with("threshold"));
  EXPECT_TRUE(refusal([](auto& c) { c.truth = "maybe"; }).starts_with("truth"));
  EXPECT_TRUE(refusal([](auto& c) { c.save = "label,jpg"; }).starts_with("save"));
  EXPECT_TRUE(refusal([](auto& c) { c.overlay_style = "neon"; }).starts_with("overlay_style"));
  EXPECT_TRUE(refusal([](auto& c) { c.image_format = "gif"; }).starts_with("image_format"));
  EXPECT_TRUE(refusal([](auto& c) { c.loss = "l2"; }).starts_with("loss: expected tukey"));
  EXPECT_TRUE(refusal([](auto& c) { c.batch = 0; }).starts_with("batch"));
  EXPECT_TRUE(refusal([](auto& c) { c.iterations = 0; }).starts_with("stop.max_iterations"));
  EXPECT_EQ(refusal([](auto& c) { c.min_height_m = 5, c.max_height_m = 4; }),
            "prior.min_height_m: expected less than prior.max_height_m (4), found 5");
}

/// The paper's VRSGT row (Table 2), for every kind of shards.
class PaperRow : public testing::TestWithParam<const char*> {};

TEST_P(PaperRow, RecoveryErrorsOfWhitenedL3) {
  ROADPLANE_KITTI_OR_SKIP(data);
  SegmentConfig config = quick("none");
  config.objective = "l3";
  config.surface = "plane";
  config.shards = GetParam();
  const auto error = [&](const fs::path& path, const char* frame, const char* truth) {
    config.truth = truth;
    const auto frames =
        kitti::FrameSelection::parse(frame).apply(kitti::open_dataset(data / path).frames);
    const FrameRecord record = segment_frame(frames.at(0), SegmentPlan(config), {});
    EXPECT_EQ(record.status, FrameStatus::ok) << record.error;
    EXPECT_EQ(record.termination, "converged");
    return record.score.value().recovery_error;
  };
  EXPECT_NEAR(error("dpcp_annotations/09_29_071", "328", "auto"), 4.13e-2, 0.02 * 4.13e-2);
  const fs::path day = "raw/2011_09_26";
  EXPECT_NEAR(error(day / "2011_09_26_drive_0005_sync", "1", "reference"), 1.00e-2, 1.0e-3);
  EXPECT_NEAR(error(day / "2011_09_26_drive_0005_sync", "45", "reference"), 7.6e-3, 7.6e-4);
  EXPECT_NEAR(error(day / "2011_09_26_drive_0048_sync", "0", "reference"), 3.64e-2, 3.6e-3);
}

INSTANTIATE_TEST_SUITE_P(Shards, PaperRow,
                         testing::Values("azimuth", "contiguous", "interleaved", "random"),
                         [](const auto& kind) { return std::string(kind.param); });

}  // namespace
}  // namespace roadplane
