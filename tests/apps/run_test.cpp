// Runs that can be left alone: their folder holds all that they need, and a full disk spoils none.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/data.hpp"
#include "support/program.hpp"
#include "support/street.hpp"
#include "support/temp_dir.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;

using test::contents;
using test::has;
using test::Outcome;
using test::text_of;

Outcome segment(const std::string& arguments) {
  return test::run_command(std::string(ROADPLANE_PROGRAM) + " segment " + arguments);
}

/// A street whose calibration is elsewhere, and a file for every option that may name one.
struct OptionFiles {
  explicit OptionFiles(const test::TempDir& folder)
      : street(test::write_street(folder / "street", 2, true)), originals(folder / "originals") {
    folder.write("originals/net.json", R"({"agents": 3, "edges": [[0, 1], [1, 2]]})");
    folder.write("originals/planes.json", R"({"normal": [0, 0, 1], "offset_m": 1.7})");
    folder.write("originals/pose.txt", "1 0 0 0  0 1 0 0  0 0 1 0.5  0 0 0 1\n");
    for (const char* stem : {"000000", "000001", "000077"}) {
      folder.write(std::string("originals/calib/") + stem + ".txt", text_of(street / "calib.txt"));
    }
    fs::remove(street / "calib.txt");
  }

  std::string options() const {
    const std::string o = originals.string();
    return " --agents 3 --topology " + o + "/net.json --truth " + o + "/planes.json --transform " +
           o + "/pose.txt --calib " + o + "/calib";
  }

  fs::path street;
  fs::path originals;
};

TEST(Run, IsSelfContained) {
  const test::TempDir folder;
  const OptionFiles files(folder);
  const std::string command = files.street.string() + files.options() + " --quiet --out ";
  ASSERT_EQ(segment(command + (folder / "run").string()).code, 0);
  const auto config = nlohmann::json::parse(text_of(folder / "run/config.json"));
  EXPECT_EQ(config["topology"], "inputs/topology/net.json");
  EXPECT_EQ(config["calib"], "inputs/calib");
  EXPECT_TRUE(fs::exists(folder / "run/inputs/calib/000001.txt"));
  EXPECT_FALSE(fs::exists(folder / "run/inputs/calib/000077.txt")) << "no frame of this run's";
  const auto whole = contents(folder / "run");

  // The same options again are the same run, whatever their files are called.
  EXPECT_EQ(segment(command + (folder / "run").string() + " --resume").code, 0);

  // It goes on without the originals, and in another place.
  fs::rename(files.originals, folder / "away");
  fs::rename(folder / "run", folder / "moved");
  fs::remove(folder / "moved/sequences/00/predictions/000001.label");
  const Outcome resumed = segment("--resume --report --out " + (folder / "moved").string());
  EXPECT_EQ(resumed.code, 0) << resumed.text;
  EXPECT_FALSE(has(text_of(folder / "moved/report.html"), "cannot be opened"));
  fs::remove(folder / "moved/report.html");
  EXPECT_EQ(contents(folder / "moved"), whole);

  // So it does as a configuration of another run.
  const Outcome again = segment("--config " + (folder / "moved/config.json").string() +
                                " --quiet --out " + (folder / "again").string());
  EXPECT_EQ(again.code, 0) << again.text;
  EXPECT_EQ(contents(folder / "again"), whole);
}

TEST(Run, AnotherFileOfTheSameNameIsAnotherRun) {
  const test::TempDir folder;
  const OptionFiles files(folder);
  const std::string command = files.street.string() + files.options() + " --quiet --resume --out " +
                              (folder / "run").string();
  ASSERT_EQ(segment(command).code, 0);
  folder.write("originals/net.json", R"({"agents": 3, "edges": [[0, 1], [0, 2]]})");
  const Outcome outcome = segment(command);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(has(outcome.text, "net.json: expected the same as in the run to resume"))
      << outcome.text;
}

TEST(Run, WhatAnEarlyEndLeftBehindIsNoObstacle) {
  const test::TempDir folder;
  const OptionFiles files(folder);
  folder.write("run/inputs/topology/net.json", "{");
  const Outcome outcome = segment(files.street.string() + files.options() + " --quiet --out " +
                                  (folder / "run").string());
  EXPECT_EQ(outcome.code, 0) << outcome.text;
  EXPECT_EQ(text_of(folder / "run/inputs/topology/net.json"),
            text_of(files.originals / "net.json"));
}

std::vector<std::string> part_files(const fs::path& folder) {
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".part") found.push_back(entry.path().string());
  }
  return found;
}

/// A limit on the size of files is a disk that is full for all larger ones.
TEST(Run, AFullDiskLeavesNoHalfFile) {
  const test::TempDir folder;
  const std::string street = test::write_street(folder / "street", 2, true).string();
  const std::string options = " --save label,overlay,ply --report --out ";
  ASSERT_EQ(segment(street + options + (folder / "whole").string()).code, 0);
  auto whole = contents(folder / "whole");
  int before = -1;
  for (const int blocks : {4, 40, 400, 40000}) {  // of 512 bytes
    const fs::path out = folder / std::to_string(blocks);
    const Outcome full =
        test::run_command("ulimit -f " + std::to_string(blocks) + "; " + ROADPLANE_PROGRAM +
                          " segment " + street + options + out.string());
    EXPECT_EQ(full.code == 0, blocks == 40000) << full.text;
    if (blocks < 40000) {
      EXPECT_TRUE(has(full.text, "File too large")) << full.text;
    }
    EXPECT_EQ(part_files(out), std::vector<std::string>());
    const fs::path files = folder / ("files_" + std::to_string(blocks));
    fs::copy(out, files, fs::copy_options::recursive);
    fs::remove(files / "frames.jsonl");  // whose last line may be torn
    int same = 0;
    for (const auto& [name, text] : contents(files)) {
      const bool of_records = name.starts_with("summary") || name == "report.html";
      if (of_records) continue;
      EXPECT_EQ(text, whole[name]) << blocks << " " << name;
      ++same;
    }
    EXPECT_GE(same, before) << "what fits is there";
    before = same;
    const Outcome resumed = segment("--resume --retry --report --quiet --out " + out.string());
    EXPECT_EQ(resumed.code, 0) << resumed.text;
    EXPECT_EQ(contents(out).at("summary.json"), whole.at("summary.json")) << blocks;
    EXPECT_GT(fs::file_size(out / "report.html"), 10'000U);
  }
}

TEST(Run, AFileThatWasEmptiedIsMadeAgain) {
  const test::TempDir folder;
  const std::string street = test::write_street(folder / "street", 2, true).string();
  const std::string out = (folder / "run").string();
  ASSERT_EQ(segment(street + " --save label,overlay,trace --quiet --out " + out).code, 0);
  const auto whole = contents(out);
  for (const char* file : {"overlay/00/000001.png", "trace/00/000000.csv"}) {
    fs::resize_file(folder / "run" / file, 0);
  }
  EXPECT_EQ(segment("--resume --quiet --out " + out).code, 0);
  EXPECT_EQ(contents(out), whole);
  EXPECT_GT(fs::file_size(folder / "run/trace/00/000000.csv"), 100U);
}

/// Somebody tidies up while the run is under way.
TEST(Run, SaysAtItsEndWhatWasTakenAwayMeanwhile) {
  const test::TempDir folder;
  const std::string street = test::write_street(folder / "street", 60).string();
  const std::string run = (folder / "run").string();
  const Outcome outcome =
      test::run_command("{ (until [ -s " + run + "/frames.jsonl ]; do sleep 0.01; done; rm -r " +
                        run + "/sequences) & " ROADPLANE_PROGRAM " segment " + street +
                        " --save label --links latency=200us --quiet --out " + run +
                        "; code=$?; wait; exit $code; }");
  EXPECT_EQ(outcome.code, 3) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "lost files, such as " + run + "/sequences/00/")) << outcome.text;
  EXPECT_EQ(segment("--resume --quiet --out " + run).code, 0);
}

TEST(Run, NamesThatAreNotUtf8AreDoneOnce) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 2);
  const fs::path scans = folder / "sc\xe4ns";
  fs::create_directory(scans);
  for (const char* name : {"a\xff", "a\xfe"}) {
    fs::copy_file(street / "velodyne/000000.bin", scans / (std::string(name) + ".bin"));
  }
  const fs::path out = folder / "run";
  const std::string command = "'" + scans.string() + "' --save label --out " + out.string();
  const Outcome first = segment(command);
  EXPECT_EQ(first.code, 0) << first.text;
  EXPECT_TRUE(has(text_of(out / "summary.csv"), "sc\\xE4ns/a\\xFF"))
      << text_of(out / "summary.csv");
  EXPECT_TRUE(fs::exists(out / "sequences" / scans.filename() / "predictions/a\xfe.label"));
  const auto lines = [&] {
    const std::string text = text_of(out / "frames.jsonl");
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_EQ(lines(), 2);
  for (const std::string& again : {command + " --resume", "--resume --out " + out.string()}) {
    const Outcome resumed = segment(again);
    EXPECT_EQ(resumed.code, 0) << resumed.text;
    EXPECT_FALSE(has(resumed.text, "[1/2]")) << "nothing is left to do: " << resumed.text;
    EXPECT_EQ(lines(), 2);
  }
}

/// A run folder that came from elsewhere.
TEST(Run, WritesNothingThroughLinksBelowIt) {
  const test::TempDir folder;
  const std::string street = test::write_street(folder / "street", 1).string();
  const fs::path run = folder / "run";
  ASSERT_EQ(segment(street + " --save label --quiet --out " + run.string()).code, 0);
  fs::create_directory(folder / "mine");
  fs::remove_all(run / "sequences/00");
  fs::create_directory_symlink(folder / "mine", run / "sequences/00");
  const Outcome outcome = segment("--resume --out " + run.string());
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(has(outcome.text, "sequences/00: expected a file or folder of")) << outcome.text;
  EXPECT_TRUE(fs::is_empty(folder / "mine"));
}

TEST(Run, SavedCloudsAreInTheFramesOfTheirFiles) {
  const test::TempDir folder;
  folder.write("scans/a.xyz", [] {
    std::string text;
    for (int k = 0; k < 4000; ++k) {
      text += std::to_string(500000 + k % 80 * 0.5) + " " + std::to_string(5800000 + k / 80 * 0.5) +
              " " + std::to_string(30 + 0.001 * (k % 7)) + "\n";
    }
    return text;
  }());
  const Outcome outcome = segment((folder / "scans").string() +
                                  " --transform -500020,-5800012,-31.7,0,0,0 --save ply,pcd " +
                                  "--quiet --out " + (folder / "run").string());
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  const auto record = nlohmann::json::parse(text_of(folder / "run/summary.json"))["frames"][0];
  EXPECT_NEAR(record["height_m"].get<double>(), 1.7, 0.01);
  const auto& normal = record["plane"]["normal"];
  const double at_place = normal[0].get<double>() * 500020 + normal[1].get<double>() * 5800012 +
                          normal[2].get<double>() * 30;
  EXPECT_NEAR(record["plane"]["offset_m"].get<double>(), -at_place, 0.01) << record["plane"];
  const std::string ply = text_of(folder / "run/ply/scans/a.ply");
  const std::size_t body = ply.find("end_header\n") + 11;
  double xyz[3];
  std::memcpy(xyz, ply.data() + body + 35 * 81, sizeof(xyz));  // the 82nd point
  EXPECT_NEAR(xyz[0], 500000.5, 1e-3);
  EXPECT_NEAR(xyz[1], 5800000.5, 1e-3);
  EXPECT_NEAR(xyz[2], 30 + 0.001 * (81 % 7), 1e-3);
}

}  // namespace
}  // namespace roadplane
