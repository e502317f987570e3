// The program as its user meets it: exit codes, messages, killed and resumed runs.

#include "support/program.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "roadplane/base/counter_random.hpp"
#include "roadplane/dpcp/robust_options.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "roadplane/kitti/scan_file.hpp"
#include "support/data.hpp"
#include "support/street.hpp"
#include "support/temp_dir.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;

using test::contents;
using test::has;
using test::Outcome;
using test::text_of;

Outcome roadplane(const std::string& arguments) {
  return test::run_command(std::string(ROADPLANE_PROGRAM) + " " + arguments);
}

TEST(Program, HelpAndVersion) {
  EXPECT_EQ(roadplane("--help").code, 0);
  EXPECT_TRUE(has(roadplane("--help").text, "Examples:"));
  EXPECT_TRUE(has(roadplane("--version").text, "roadplane 0."));
  const Outcome help = roadplane("segment --help");
  EXPECT_EQ(help.code, 0);
  for (const char* option :
       {"--frames",    "--agents",  "--topology", "--mixing",    "--shards",  "--solver",
        "--objective", "--step",    "--batch",    "--threshold", "--truth",   "--scoring",
        "--seed",      "--jobs",    "--out",      "--save",      "--config",  "--resume",
        "--quiet",     "--verbose", "--report",   "--mpi",       "Exit codes"}) {
    EXPECT_TRUE(has(help.text, option)) << option;
  }
}

TEST(Program, HelpSaysTheLimitThatHolds) {
  EXPECT_TRUE(has(roadplane("segment --help").text,
                  "at most " + std::to_string(RobustOptions{}.max_iterations) + ")"));
}

/// Points in all directions: no road anywhere.
std::string noise() {
  CounterRandom random(3, RandomUse::user);
  std::string bytes;
  for (int k = 0; k < 20'000; ++k) {
    const float point[4] = {static_cast<float>(20 * random.normal()),
                            static_cast<float>(20 * random.normal()),
                            static_cast<float>(20 * random.normal()), 0};
    bytes.append(reinterpret_cast<const char*>(point), sizeof(point));
  }
  return bytes;
}

TEST(Program, ASuspectFrameIsShownAndStrictMakesItExitCode3) {
  const test::TempDir dir;
  const std::string scan = dir.write("scans/000000.bin", noise()).string();
  const Outcome outcome = roadplane("segment " + scan + " --out " + (dir / "a").string());
  EXPECT_EQ(outcome.code, 0) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "suspect: ")) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "\n1 frame: 0 ok, 1 suspect; ")) << outcome.text;
  EXPECT_TRUE(has(text_of(dir / "a/summary.md"), "| suspect |"));
  EXPECT_EQ(roadplane("segment " + scan + " --strict --out " + (dir / "b").string()).code, 3);
}

TEST(Program, WrongUsageIsExitCode1) {
  for (const char* arguments :
       {"", "fly", "segment", "segment x --agents 0", "segment x --nope", "segment x --batch many",
        "segment x --jobs 0", "segment x --resume", "segment x --step -1", "segment x --seed -1",
        "segment . --solver adam", "segment . --topology torus", "segment . --threshold 5",
        "segment . --mixing uniform", "synth x --outlier-share 2", "synth x --hill mountain",
        "synth x --bank-percent 11", "demo --frames 0"}) {
    const Outcome outcome = roadplane(arguments);
    EXPECT_EQ(outcome.code, 1) << arguments << "\n" << outcome.text;
    EXPECT_TRUE(outcome.text.starts_with("roadplane: ")) << outcome.text;
    EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1) << outcome.text;
  }
  EXPECT_TRUE(has(roadplane("fly").text, "expected a command, found \"fly\""));
  EXPECT_EQ(roadplane("").text,
            "roadplane: expected a command, such as demo, info or segment, found nothing (see "
            "--help)\n");
  EXPECT_EQ(roadplane("score").text, "roadplane: expected LABELS, found nothing (see --help)\n");
  EXPECT_EQ(roadplane("export x").text,
            "roadplane: expected --out DIR, found nothing (see --help)\n");
  EXPECT_TRUE(has(roadplane("segment . --mixing x").text, "--mixing: expected metropolis"));
  EXPECT_EQ(roadplane("segment . --min-height-m 5 --max-height-m 4").text,
            "roadplane: --min-height-m: expected less than --max-height-m (4), found 5\n");
  EXPECT_EQ(roadplane("synth x --outlier-share 2").text,
            "roadplane: --outlier-share: expected 0.05 to 0.95, found 2\n");
  EXPECT_EQ(roadplane("segment").text,
            "roadplane: PATH: expected a folder or a scan, found nothing\n");
  EXPECT_TRUE(has(roadplane("segment . --links drop=2").text, "--links: drop: expected a share"));
  EXPECT_TRUE(has(roadplane("segment . --links leave=99@5").text,
                  "--links: leave: expected an agent from 1 to 15, found 99"));
  EXPECT_TRUE(
      has(roadplane("segment . --wire double").text, "--wire: expected auto, full, single"));
  EXPECT_TRUE(has(roadplane("segment x --agents 0").text, "--agents: expected 1 to 10000, found 0"))
      << roadplane("segment x --agents 0").text;
}

/// As below a script that mpirun or srun has started, or one that has started MPI itself.
TEST(Program, WhoOneIsIsAskedOfMpiAndNotOfTheEnvironment) {
  const test::TempDir folder;
  const std::string street = test::write_street(folder / "street", 1).string();
  for (const char* inherited :
       {"OMPI_COMM_WORLD_RANK=1", "PMI_RANK=3", "PMIX_RANK=2", "PMIX_RANK=2 OMPI_MCA_ess=pmi"}) {
    // Where MPI starts, its own leaks are none of ours.
    const std::string program =
        "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
        "ASAN_OPTIONS=detect_leaks=0 " +
        (inherited + std::string(" " ROADPLANE_PROGRAM " "));
    const Outcome info = test::run_command(program + "info " + street);
    EXPECT_EQ(info.code, 0) << info.text;
    EXPECT_TRUE(has(info.text, "odometry, 1 frame")) << inherited << "\n" << info.text;
    const Outcome missing = test::run_command(program + "segment /nonexist");
    EXPECT_EQ(missing.code, 2) << inherited << "\n" << missing.text;
    EXPECT_TRUE(has(missing.text, "/nonexist: expected")) << missing.text;
    const Outcome usage = test::run_command(program + "segment x --agents 0");
    EXPECT_EQ(usage.code, 1) << inherited;
    EXPECT_TRUE(has(usage.text, "--agents: expected 1 to 10000, found 0")) << usage.text;
    const fs::path out = folder / inherited;
    const Outcome done = test::run_command(program + "segment " + street +
                                           " --jobs 2 --quiet --out '" + out.string() + "'");
    EXPECT_EQ(done.code, 0) << inherited << "\n" << done.text;
    EXPECT_TRUE(fs::exists(out / "summary.json"));
  }
}

TEST(Program, DeepJsonIsBadInputWhereverItIsRead) {
  const test::TempDir folder;
  const std::string street = test::write_street(folder / "street", 1).string();
  const std::string deep = std::string(400'000, '[') + std::string(400'000, ']');
  const std::string edge =
      folder.write("edge.json", R"({"agents": 3, "edges": [)" + deep + "]}").string();
  const std::string agents = folder.write("agents.json", R"({"agents": )" + deep + "}").string();
  const std::string plane = folder.write("plane.json", deep).string();
  const auto refused = [&](const std::string& arguments) {
    const Outcome outcome =
        roadplane("segment " + street + arguments + " --quiet --out " + (folder / "out").string());
    EXPECT_NE(outcome.code, 0) << arguments;
    EXPECT_TRUE(has(outcome.text, "JSON of at most 64 levels, found more")) << outcome.text;
    EXPECT_LT(outcome.text.size(), 1000U);
    fs::remove_all(folder / "out");
  };
  refused(" --agents 3 --topology " + edge);
  refused(" --config " + agents);
  refused(" --truth " + plane);
  folder.write("run/config.json", R"({"agents": 8, "schema": )" + deep + "}");
  EXPECT_TRUE(has(roadplane("report " + (folder / "run").string()).text, "at most 64 levels"));
  const std::string value =
      folder.write("value.json", R"({"agents": [)" + std::string(100'000, '1') + "]}").string();
  const Outcome outcome = roadplane("segment " + street + " --config " + value);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_LT(outcome.text.size(), 1000U) << "no dump of the document";
}

TEST(Program, NoNameCommandsTheTerminal) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 1);
  const fs::path scans = folder / "a\x1b[31m\nb";
  fs::create_directory(scans);
  fs::copy_file(street / "velodyne/000000.bin", scans / "c\x1b[2J.bin");
  std::ofstream(scans / "d\x07.bin") << "short";
  const std::string quoted = "\"" + scans.string() + "\"";
  const std::string run = (folder / "run").string();
  for (const std::string& arguments :
       {"info " + quoted, "segment " + quoted + " --save label --out " + run,
        "segment " + quoted + " --resume --retry --verbose --save label --out " + run,
        "score " + run + " " + quoted, std::string("segment '\x1b[2J'"), std::string("'\x1b[2J'"),
        "segment . --config " + folder.write("key.json", R"({"a\u001b[2J": 1})").string()}) {
    const Outcome outcome = roadplane(arguments);
    EXPECT_FALSE(has(outcome.text, "\x1b")) << outcome.text;
    EXPECT_FALSE(has(outcome.text, "\x07")) << outcome.text;
    EXPECT_FALSE(has(outcome.text, "\nb")) << outcome.text;
  }
  const std::string commands = text_of(run + "/command.txt");
  EXPECT_EQ(std::count(commands.begin(), commands.end(), '\n'), 2) << commands;
  EXPECT_TRUE(has(commands, "a\\x1b[31m\\x0ab'")) << commands;
}

TEST(Program, LongNamesMakeNoLongLines) {
  const test::TempDir folder;
  const std::string street = test::write_street(folder / "street", 1).string();
  const std::string key =
      folder.write("key.json", "{\"" + std::string(900'000, 'k') + "\": 1}").string();
  for (const std::string& arguments :
       {"segment " + street + " --config " + key,
        "segment " + street + " --frames " + std::string(100'000, '1'),
        "segment " + street + " --out " + (folder / std::string(300, 'x')).string(),
        std::string(100'000, 'c')}) {
    const Outcome outcome = roadplane(arguments);
    EXPECT_NE(outcome.code, 0);
    EXPECT_LT(outcome.text.size(), 3000U) << outcome.text.substr(0, 200);
  }
  const Outcome overlong =
      roadplane("segment " + street + " --out " + (folder / std::string(300, 'x')).string());
  EXPECT_TRUE(has(overlong.text, "File name too long")) << overlong.text;
}

TEST(Program, ABadInstructionSetIsRefusedAtOnce) {
  const test::TempDir folder;
  const std::string street = test::write_street(folder / "street", 2).string();
  const Outcome outcome = test::run_command("ROADPLANE_ISA=mmx " ROADPLANE_PROGRAM " segment " +
                                            street + " --out " + (folder / "out").string());
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.text,
            "roadplane: ROADPLANE_ISA: expected plain, avx2 or avx512, found \"mmx\"\n");
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST(Program, LoadsNoLibraryFromTheCurrentFolder) {
  const Outcome paths =
      test::run_command("readelf -d " ROADPLANE_PROGRAM " | grep -E 'R(UN)?PATH'");
  for (const char* empty : {"[:", "::", ":]", "[]", "[.", ":."}) {
    EXPECT_FALSE(has(paths.text, empty)) << paths.text;
  }
}

TEST(Program, TooLittleMemoryIsSaidInWords) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take more memory than any limit allows";
#endif
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 1);
  fs::resize_file(street / "velodyne/000000.bin", std::uintmax_t{3} << 30);  // a hole
  const Outcome outcome =
      test::run_command("ulimit -v 2000000; " ROADPLANE_PROGRAM " segment " + street.string() +
                        " --save none --out " + (folder / "out").string());
  EXPECT_EQ(outcome.code, 3) << outcome.text;
  EXPECT_FALSE(has(outcome.text, "bad_alloc")) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "expected as much memory")) << outcome.text;
}

TEST(Program, BadInputIsExitCode2AndOneLine) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 2);
  const auto refused = [&](const std::string& arguments, const std::string& part, int code = 2) {
    const Outcome outcome =
        roadplane("segment " + arguments + " --out " + (folder / "out").string());
    EXPECT_EQ(outcome.code, code) << outcome.text;
    EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1) << outcome.text;
    EXPECT_TRUE(has(outcome.text, part)) << outcome.text;
    EXPECT_FALSE(fs::exists(folder / "out")) << "nothing may be written: " << arguments;
  };
  const std::string path = street.string();
  refused((folder / "missing").string(), "missing");
  refused(path + " --frames 0,7,9", "7, 9", 1);
  refused(path + " --frames x", "--frames", 1);
  refused(path + " --topology torus", "--topology", 1);
  refused(path + " --threshold 5", "--threshold", 1);
  refused(path + " --truth " + (folder / "none.json").string(), "none.json", 1);
  refused(path + " --topology " + (folder / "net.json").string(),
          "--topology: " + folder.path().string() + "/net.json: expected a readable file", 1);
  refused(path + " --config " + folder.write("key.json", R"({"agnts": 8})").string(), "\"agnts\"");
  refused(path + " --config " +
              folder.write("value.json", R"({"min-height-m": 5, "max-height-m": 4})").string(),
          "--min-height-m: expected less than --max-height-m (4), found 5", 1);
  refused(path + " --config " + (folder / "none.json").string(), "none.json");
  refused(path + " --config " + folder.write("bad.json", "[1]").string(), "JSON object");
}

TEST(Program, ReportIsAFileOrOneLine) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 2);
  const std::string out = (folder / "it's a run").string();
  const std::string quoted = "\"" + out + "\"";
  ASSERT_EQ(
      roadplane("segment " + street.string() + " --save none --quiet --report --out " + quoted)
          .code,
      0);
  EXPECT_TRUE(has(text_of(out + "/report.html"), "it's a run"));
  EXPECT_TRUE(has(text_of(out + "/command.txt"), "--report --out '" + (folder / "it").string()))
      << text_of(out + "/command.txt");
  const Outcome again = roadplane("report " + quoted + " --out " + (folder / "a.html").string());
  EXPECT_EQ(again.code, 0) << again.text;
  EXPECT_TRUE(has(again.text, "a.html"));
  EXPECT_TRUE(fs::exists(folder / "a.html"));
  for (const std::string& bad : {(folder / "missing").string(), street.string(),
                                 quoted + " --out " + (folder / "missing/a.html").string()}) {
    const Outcome refused = roadplane("report " + bad);
    EXPECT_EQ(refused.code, 2) << refused.text;
    EXPECT_EQ(std::count(refused.text.begin(), refused.text.end(), '\n'), 1) << refused.text;
    EXPECT_FALSE(fs::exists(folder / "missing"));
  }
}

TEST(Program, ARunsOwnConfigurationCanBeGivenBack) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 2);
  const std::string out = (folder / "out").string();
  ASSERT_EQ(roadplane("segment " + street.string() + " --agents 5 --topology ring --frames 1 " +
                      "--save label --quiet --out " + out)
                .code,
            0);
  ASSERT_EQ(
      roadplane("segment --config " + out + "/config.json --seed 3 --quiet --out " + out + "2")
          .code,
      0);
  auto first = nlohmann::json::parse(text_of(out + "/config.json"));
  const auto second = nlohmann::json::parse(text_of(out + "2/config.json"));
  EXPECT_EQ(first["agents"], 5);
  EXPECT_EQ(second["seed"], 3);  // what is typed wins
  first["seed"] = 3;
  EXPECT_EQ(first, second);
  const fs::path other = test::write_street(folder / "other", 2);
  ASSERT_EQ(roadplane("segment " + other.string() + " --config " + out + "/config.json --quiet " +
                      "--out " + out + "3")
                .code,
            0);
  EXPECT_EQ(nlohmann::json::parse(text_of(out + "3/config.json"))["path"], other.string());
}

TEST(Program, AFolderWithBadFramesIsExitCode3) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 4, true);
  fs::resize_file(street / "velodyne/000001.bin", 1003);
  fs::remove(street / "image_2/000002.png");
  fs::resize_file(street / "labels/000003.label", 40);
  const std::string out = (folder / "out").string();
  const Outcome outcome = roadplane("segment " + street.string() + " --out " + out);
  EXPECT_EQ(outcome.code, 3) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "000001.bin: expected"));
  EXPECT_TRUE(has(outcome.text, "000003.label: expected"));
  const auto summary = nlohmann::json::parse(text_of(out + "/summary.json"));
  EXPECT_EQ(summary["aggregate"]["ok"], 2);
  EXPECT_EQ(summary["aggregate"]["failed"], 1);
  EXPECT_EQ(summary["aggregate"]["incomplete"], 1);
  for (const char* file : {"summary.csv", "summary.md", "summary.tex", "config.json"}) {
    EXPECT_TRUE(fs::exists(fs::path(out) / file)) << file;
  }
}

TEST(Program, ScoreGivesTheNumbersOfSegmentAndNamesWhatIsBad) {
  const test::TempDir folder;
  const std::string street = test::write_street(folder / "street", 3).string();
  const std::string run = (folder / "run").string();
  ASSERT_EQ(roadplane("segment " + street + " --target ground --save label --quiet --out " + run +
                      " --scoring patchwork")
                .code,
            0);
  const std::string out = (folder / "score").string();
  const std::string command = "score " + run + " " + street + " --out " + out;
  const Outcome good = roadplane(command + " --scoring patchwork");
  EXPECT_EQ(good.code, 0) << good.text;
  EXPECT_TRUE(has(good.text, "scoring patchwork, target ground")) << good.text;
  const auto score = nlohmann::json::parse(text_of(out + "/score.json"));
  const auto summary = nlohmann::json::parse(text_of(run + "/summary.json"));
  ASSERT_EQ(score["frames"].size(), 3U);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(score["frames"][k]["f1"], summary["frames"][k]["f1"]);
    EXPECT_EQ(summary["frames"][k]["scoring"], "patchwork");
  }
  EXPECT_TRUE(has(text_of(out + "/score.csv"), "patchwork,ground,"));
  fs::resize_file(run + "/sequences/00/predictions/000001.label", 40);
  const Outcome bad = roadplane(command);
  EXPECT_EQ(bad.code, 3);
  EXPECT_TRUE(has(bad.text, "000001.label: expected")) << bad.text;
  EXPECT_EQ(nlohmann::json::parse(text_of(out + "/score.json"))["frames"].size(), 2U);
  for (const char* wrong : {"score", "score a", "--scoring B", "--target roads", "--frames x"}) {
    const std::string text = wrong;
    EXPECT_EQ(roadplane(text.starts_with("--") ? command + " " + text : text).code, 1) << text;
  }
  EXPECT_EQ(roadplane("score " + street + "/nowhere " + street).code, 2);
  EXPECT_EQ(roadplane("score " + run + " " + street + "/nowhere").code, 2);
  EXPECT_EQ(roadplane("segment " + street + " --scoring loose").code, 1);
}

TEST(Program, CompareWritesTablesAndKeepsItsWord) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 3);
  const std::string out = (folder / "out").string();
  const std::string common =
      "compare " + street.string() +
      " --agents 4 --solvers vrsgt,drsgd --baselines svd --budget rounds=200 "
      "--save none --quiet ";
  const Outcome outcome = roadplane(common + "--frames 0,2 --out " + out);
  EXPECT_EQ(outcome.code, 0) << outcome.text;
  EXPECT_EQ(outcome.text, "");
  for (const char* file : {"config.json", "summary.md", "summary.csv", "summary.tex"}) {
    EXPECT_TRUE(fs::exists(fs::path(out) / file)) << file;
  }
  const auto result = nlohmann::json::parse(text_of(out + "/compare.json"));
  EXPECT_EQ(result["frames"].size(), 2U);
  EXPECT_EQ(result["methods"].size(), 5U);
  // The same again from its own configuration.
  ASSERT_EQ(roadplane("compare --config " + out + "/config.json --quiet --out " + out + "2").code,
            0);
  EXPECT_EQ(text_of(out + "/config.json"), text_of(out + "2/config.json"));
  EXPECT_TRUE(has(roadplane("compare --help").text, "--tune-frames"));
}

TEST(Program, CompareRefusesBadInputInOneLineAndWritesNothing) {
  const test::TempDir folder;
  const std::string path = test::write_street(folder / "street", 2).string();
  const auto refused = [&](const std::string& arguments, const std::string& part, int code = 1) {
    const Outcome outcome =
        roadplane("compare " + arguments + " --out " + (folder / "out").string());
    EXPECT_EQ(outcome.code, code) << outcome.text;
    EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1) << outcome.text;
    EXPECT_TRUE(has(outcome.text, part)) << outcome.text;
    EXPECT_FALSE(fs::exists(folder / "out")) << "nothing may be written: " << arguments;
  };
  refused((folder / "missing").string(), "missing", 2);
  refused(path + " --solvers adam", "--solvers");
  refused(path + " --objectives l2", "--objectives");
  refused(path + " --baselines magic", "--baselines");
  refused(path + " --budget hours=1", "--budget");
  refused(path + " --protocol paper", "--protocol");
  refused(path + " --frames 7", "7");
  refused(path + " --tune", "none left");
  refused(path + " --frames 0 --tune --tune-frames 0", "not compared");
  refused(path + " --frames 0 --tune --tune-frames 9", "--tune-frames: expected numbers");
  refused(path + " --frames 0 --tune-frames 1", "--tune-frames: expected --tune with it");
  refused(path + " --save pictures", "--save");
}

TEST(Program, InfoSaysWhatItSees) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 2);
  const Outcome info = roadplane("info " + street.string());
  EXPECT_EQ(info.code, 0);
  EXPECT_TRUE(has(info.text, "odometry, 2 frames in 1 sequence"));
  EXPECT_TRUE(has(info.text, "calibration, label"));
  EXPECT_EQ(roadplane("info " + (folder / "nothing").string()).code, 2);
  EXPECT_EQ(roadplane("info ''").text,
            "roadplane: PATH: expected a folder or a scan, found an empty name\n");
  std::ofstream(folder / "short.bin") << "seven b";
  const Outcome bad = roadplane("info " + (folder / "short.bin").string());
  EXPECT_EQ(bad.code, 3) << bad.text;
  EXPECT_TRUE(has(bad.text, "bad scan")) << bad.text;
  EXPECT_TRUE(has(roadplane("info " + (folder / "stret").string()).text, "did you mean street?"));
  const std::string run = (folder / "run").string();
  ASSERT_EQ(roadplane("segment " + street.string() + " --save none --quiet --out " + run).code, 0);
  EXPECT_TRUE(has(roadplane("info " + run).text, "found the results of a run")) << "no scans";
}

TEST(Program, InfoSumsUpManyFramesBySequence) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 1);
  const fs::path scan = street / "velodyne/000000.bin";
  for (int k = 1; k < 12; ++k) {
    fs::create_hard_link(scan, street / ("velodyne/0000" + std::to_string(10 + k) + ".bin"));
  }
  const Outcome sums = roadplane("info " + street.string());
  EXPECT_LT(std::count(sums.text.begin(), sums.text.end(), '\n'), 8) << sums.text;
  EXPECT_TRUE(has(sums.text, "sequence  frames")) << sums.text;
  EXPECT_TRUE(has(sums.text, "label of 1 frame")) << sums.text;
  EXPECT_TRUE(has(roadplane("info " + street.string() + " --frames").text, "00/000021"));
}

TEST(Program, HelpFitsInto80Columns) {
  for (const char* command :
       {"", "segment", "fleet", "score", "compare", "solve", "info", "synth", "report", "rig",
        "export", "demo", "reproduce", "manual", "completion"}) {
    std::istringstream lines(roadplane(command + std::string(" --help")).text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  }
}

TEST(Program, NamesTheLidarWhoseExtrinsicDiffers) {
  const test::TempDir dir;
  const std::string scan =
      (test::write_street(dir / "street", 1) / "velodyne" / "000000.bin").string();
  const std::string rig = "rig --lidar one=" + scan + " --lidar two=" + scan;
  const Outcome good = roadplane(rig);
  EXPECT_EQ(good.code, 0) << good.text;
  const Outcome bad = roadplane(rig + "@0,0,0.05,1,0,0 --out " + (dir / "check").string());
  EXPECT_EQ(bad.code, 3) << bad.text;
  EXPECT_TRUE(has(bad.text, "two: its extrinsic differs from the others by 1.00 +- ")) << bad.text;
  EXPECT_TRUE(has(bad.text, "either may be the wrong one")) << bad.text;
  EXPECT_TRUE(has(bad.text, "yaw, x and y of an extrinsic cannot be seen")) << bad.text;
  EXPECT_TRUE(has(bad.text, "mount of two: 1.7")) << bad.text;
  EXPECT_TRUE(fs::exists(dir / "check" / "mount.json"));
  const Outcome refused = roadplane("rig --lidar one=" + scan);
  EXPECT_EQ(refused.code, 1);
  EXPECT_TRUE(has(refused.text, "--lidar: expected two LiDARs or more")) << refused.text;
}

/// What bash offers at the end of a line.
std::string completed(const fs::path& script, const std::string& line) {
  const std::string words = "words=(" + line + "); COMP_WORDS=(\"${words[@]}\")" +
                            (line.ends_with(' ') ? "; COMP_WORDS+=(\"\")" : "");
  const std::string command = "bash -c 'source " + script.string() + "; " + words +
                              "; COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _roadplane; "
                              "echo \"${COMPREPLY[@]}\"' 2>&1";
  return test::run_command(command).text;
}

TEST(Program, CompletesCommandsOptionsAndValues) {
  const test::TempDir folder;
  const fs::path script = folder.write("bash", roadplane("completion bash").text);
  EXPECT_EQ(completed(script, "roadplane rep"), "report reproduce\n");
  EXPECT_EQ(completed(script, "roadplane segment --max-t"), "--max-tilt-deg\n");
  EXPECT_EQ(completed(script, "roadplane segment --solver "),
            "vrsgt destiny drsgd drgta dprgt rextra gossip-irls gossip-newton\n");
  EXPECT_EQ(completed(script, "roadplane segment x --target g"), "ground\n");
  EXPECT_EQ(completed(script, "roadplane compare x --solvers vrsgt,drs"), "vrsgt,drsgd\n");
  EXPECT_EQ(completed(script, "roadplane solve --objective p"), "pca\n");
  EXPECT_EQ(completed(script, "roadplane reproduce fig"), "figure1 figure2 figure3\n");
  EXPECT_EQ(completed(script, "roadplane completion z"), "zsh\n");
  EXPECT_EQ(completed(script, "roadplane segment --agents "), "\n") << "any number";
}

/// Every word that is offered is one that the option takes: what is wrong is the missing data.
TEST(Program, TakesTheWordsThatItOffers) {
  std::istringstream lines(roadplane("completion bash").text);
  int words = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t open = line.find("') values=\"");
    if (open == std::string::npos || !line.starts_with("    'segment --")) continue;
    const std::string option = line.substr(13, open - 13);
    std::istringstream offered(line.substr(open + 11, line.rfind('"') - open - 11));
    for (std::string word; offered >> word; ++words) {
      const std::string more = word == "relief" ? " --target ground" : "";
      const Outcome outcome = roadplane("segment /nowhere " + option + " " + word + more);
      EXPECT_EQ(outcome.code, 2) << option << " " << word << ": " << outcome.text;
    }
  }
  EXPECT_GT(words, 40);
}

TEST(Program, SumsUpInTheLastLineAndColoursOnlyWhenAsked) {
  const test::TempDir folder;
  const std::string street = test::write_street(folder / "my street", 2).string();
  const std::string segment = "segment '" + street + "' --save label --out ";
  const Outcome plain = roadplane(segment + (folder / "a").string());
  EXPECT_FALSE(has(plain.text, "\x1b[")) << plain.text;
  const std::string last = plain.text.substr(plain.text.rfind('\n', plain.text.size() - 2) + 1);
  EXPECT_TRUE(last.starts_with("2 frames: 2 ok; median error ")) << last;
  EXPECT_TRUE(has(last, " frames/s")) << last;
  const Outcome colourful = roadplane(segment + (folder / "b").string() + " --color always");
  EXPECT_TRUE(has(colourful.text, "\x1b[32mok\x1b[0m")) << colourful.text;
  const Outcome reported = roadplane(segment + (folder / "c").string() + " --report --wide");
  EXPECT_TRUE(has(reported.text, "report: " + (folder / "c/report.html").string()));
  EXPECT_TRUE(has(reported.text, "worst agent")) << reported.text;
  EXPECT_TRUE(has(roadplane(segment + (folder / "c").string()).text, "or --resume to go on"));
  EXPECT_EQ(roadplane(segment + "x --color blue").text,
            "roadplane: --color: expected auto, always or never, found \"blue\"\n");
}

TEST(Program, HintsAtTheOptionThatHelps) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 1);
  const Scan scan = kitti::load_scan(kitti::open_dataset(street).frames.at(0));
  Scan at_ground = scan;
  Scan of_camera = scan;
  for (Point& p : at_ground) p.z += 1.7F;
  for (Point& p : of_camera) p = {-p.y, -p.z, p.x, p.reflectance};
  kitti::write_scan(folder / "ground.bin", at_ground);
  kitti::write_scan(folder / "camera.bin", of_camera);
  const auto run = [&](const std::string& what) {
    static int runs = 0;
    return roadplane("segment " + (folder / what).string() + " --save none --out " +
                     (folder / std::to_string(++runs)).string())
        .text;
  };
  EXPECT_TRUE(
      has(run("ground.bin"), "note: the ground lies at the clouds' origin; --sensor-height"));
  EXPECT_FALSE(has(run("ground.bin --sensor-height 1.7"), "--sensor-height"));
  EXPECT_TRUE(has(run("camera.bin"), "--transform 0,0,0,-90,0,-90"));
  const std::string turned = run("camera.bin --transform 0,0,0,-90,0,-90");
  EXPECT_FALSE(has(turned, "note: ")) << turned;
  EXPECT_TRUE(has(turned, "1 frame: 1 ok")) << turned;
}

TEST(Program, ReproduceNamesWhatIsUnknownOrMissing) {
  const test::TempDir folder;
  const std::string data = " --data " + folder.path().string();
  const Outcome unknown = roadplane("reproduce table9" + data);
  EXPECT_EQ(unknown.code, 1);
  EXPECT_TRUE(
      has(unknown.text,
          "table1, table2, heterogeneous, figure1, figure2, figure3, crossover or all, found "
          "table9"));
  EXPECT_EQ(roadplane("reproduce table1").code, 1);  // --data is missing
  const Outcome missing = roadplane("reproduce all" + data + " --out " + (folder / "o").string());
  EXPECT_EQ(missing.code, 2);
  EXPECT_TRUE(has(missing.text, "2011_09_26_drive_0005_sync: expected the recording of CITY-5/1"));
  EXPECT_FALSE(fs::exists(folder / "o"));
}

/// Starts the program and kills it after `milliseconds`, unless it has ended by then.
void run_and_kill(const std::vector<std::string>& arguments, int milliseconds) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::vector<char*> argv;
    std::string program = ROADPLANE_PROGRAM;
    argv.push_back(program.data());
    std::vector<std::string> copy = arguments;
    for (std::string& argument : copy) argv.push_back(argument.data());
    argv.push_back(nullptr);
    ::execv(program.c_str(), argv.data());
    ::_exit(127);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST(Program, KilledAtARandomMomentAndResumedGivesTheSameResults) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 12, true);
  const std::string path = street.string();
  ASSERT_EQ(roadplane("segment " + path + " --quiet --out " + (folder / "whole").string()).code, 0);
  CounterRandom random(static_cast<std::uint64_t>(::getpid()), RandomUse::user);
  const std::string out = (folder / "killed").string();
  const std::vector<std::string> arguments{"segment", path,       "--quiet", "--out",
                                           out,       "--resume", "--jobs",  "3"};
  for (int k = 0; k < 4; ++k) run_and_kill(arguments, 100 + static_cast<int>(random.below(250)));
  ASSERT_EQ(roadplane("segment " + path + " --quiet --resume --out " + out).code, 0);
  EXPECT_EQ(contents(folder / "killed"), contents(folder / "whole"));
}

TEST(Program, ARunGoesOnFromItsFolderAlone) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 3, true);
  const std::string out = (folder / "out").string();
  ASSERT_EQ(
      roadplane("segment " + street.string() + " --frames 0:3:2 --agents 8 --report --out " + out)
          .code,
      0);
  fs::remove(folder / "out/sequences/00/predictions/000002.label");
  fs::resize_file(folder / "out/report.html", 1);
  const Outcome again = roadplane("segment --resume --out " + out);
  EXPECT_EQ(again.code, 0) << again.text;
  EXPECT_TRUE(has(again.text, "[2/2] 00/000002")) << again.text;
  EXPECT_TRUE(has(again.text, "report: " + out + "/report.html")) << again.text;
  EXPECT_TRUE(fs::exists(folder / "out/sequences/00/predictions/000002.label"));
  EXPECT_GT(fs::file_size(folder / "out/report.html"), 10'000U);
  const Outcome other = roadplane("segment --resume --agents 4 --out " + out);
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(has(other.text, "agents 8 as in the run to resume, found 4")) << other.text;
}

TEST(Program, SlipsAreRecognised) {
  EXPECT_TRUE(has(roadplane("segmnet x").text, "did you mean segment?"));
  EXPECT_TRUE(has(roadplane("segment x --agnets 4").text, "did you mean --agents?"));
  EXPECT_TRUE(has(roadplane("segment x --treshold=5m").text, "did you mean --threshold?"));
  EXPECT_TRUE(has(roadplane("segment . --truth sidewlak").text, "did you mean sidewalk?"));
  EXPECT_FALSE(has(roadplane("segment x --banana").text, "did you mean"));
  EXPECT_TRUE(has(roadplane("segment . --target groud").text, "did you mean ground?"));
  EXPECT_TRUE(has(roadplane("--verison").text, "did you mean --version?"));
  EXPECT_TRUE(has(roadplane("help segmnet").text, "did you mean segment?"));
  EXPECT_EQ(roadplane("help segmnet").code, 1);
  EXPECT_EQ(roadplane("segment --resume --out nowhere").text,
            "roadplane: --resume: expected a run in --out, or a PATH to begin one with, found none "
            "in nowhere\n");
  EXPECT_TRUE(roadplane("version").text.starts_with("roadplane "));
  EXPECT_EQ(roadplane("help").text, roadplane("--help").text);
  EXPECT_EQ(roadplane("help segment").text, roadplane("segment --help").text);
  EXPECT_EQ(roadplane("segment x --quiet --verbose").code, 1);
  EXPECT_EQ(roadplane("segment . --overlay-style truth --truth none").text,
            "roadplane: --overlay-style: expected labels or agents, where --truth is none, found "
            "\"truth\"\n");
  const auto refused = [&](const std::string& arguments, const std::string& line) {
    const Outcome outcome = roadplane(arguments);
    EXPECT_EQ(outcome.code, 1) << arguments;
    EXPECT_EQ(outcome.text, "roadplane: " + line + "\n");
  };
  refused("segment . --save label --overlay-style agents",
          "--overlay-style: expected --save with overlay, birdseye, ply or pcd, found \"label\"");
  refused("segment . --save label --image-format jpeg",
          "--image-format: expected --save with overlay, birdseye or relief, found \"label\"");
  refused(
      "segment . --save overlays",
      "--save: expected none, or a list of label, overlay, birdseye, edges, ply, pcd, mcap, relief "
      "and trace, found \"overlays\" (did you mean overlay?)");
  refused("segment . --target rod",
          "--target: expected auto, plane, road or ground, found \"rod\" (did you mean road?)");
  refused("segment . --surface flat",
          "--surface: expected auto, plane, relief or road, found \"flat\"");
  refused("segment . --wire foo",
          "--wire: expected auto, full, single, half or bits=N with N from 4 to 12, found \"foo\"");
  refused("segment . --format kiti",
          "--format: expected auto, kitti, nuscenes, xyz, xyzi or xyzir, found \"kiti\" (did you "
          "mean kitti?)");
  refused("segment . --links leave=99@5",
          "--links: leave: expected an agent from 1 to 15, found 99");
  refused("segment . --sensor-height abc",
          "--sensor-height: expected 0 to 100, found abc (see --help)");
  refused("segment . --agents 3.5",
          "--agents: expected a whole number, found \"3.5\" (see --help)");
  refused("demo --frames many", "--frames: expected 1 to 10000, found many (see --help)");
  refused("solve . --objective dpcp",
          "--objective: expected pca, l3 or robust, found \"dpcp\", which is called l3 here");
  refused("segment . --trace-growth 2",
          "--trace-growth: expected --save with trace, found \"label,overlay\"");
  refused("segment . --truth none --scoring patchwork",
          "--scoring: expected a --truth with it, found \"none\"");
  refused("segment . --tolerance 1e-3",
          "--tolerance: expected --objective l3 with it, found \"robust\"");
  refused("segment . --objective l3 --loss welsch",
          "--loss: expected --objective robust with it, found \"l3\"");
  refused("segment . --objective l3 --max-tilt-deg 9",
          "--max-tilt-deg: expected --objective robust with it, found \"l3\"");
  refused("segment . --solver drgta --batch 8",
          "--batch: expected a --solver that draws samples with it, found \"drgta\"");
  refused("segment . --ranks-per-frame 2",
          "--ranks-per-frame: expected mpirun, srun or --mpi with it, found none of them");
  refused("segment . --links outage=5",
          "--links: expected drop=SHARE or sleep=SHARE beside outage, found \"outage=5\"");
  refused("compare . --solvers none --baselines svd --tune",
          "--tune: expected --solvers with it, found none");
  EXPECT_EQ(roadplane("compare . --tune-steps 0.1").text,
            "roadplane: --tune-steps: expected --tune with it, found none\n");
}

/// Readers of pictures and clouds bring hundreds of libraries, which would take longer to load than
/// to print the help.
TEST(Program, LoadsNoMoreThanItNeedsToStart) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "below sanitizers PCL is linked, see kitti/CMakeLists.txt";
#endif
  const Outcome loaded = test::run_command("LD_TRACE_LOADED_OBJECTS=1 " ROADPLANE_PROGRAM);
  EXPECT_TRUE(has(loaded.text, "libopencv_core")) << "else this test shows nothing";
  for (const char* library : {"libpcl_io", "libvtk", "libgdal", "libopencv_imgcodecs"}) {
    EXPECT_FALSE(has(loaded.text, library)) << library;
  }
  EXPECT_LT(std::count(loaded.text.begin(), loaded.text.end(), '\n'), 80);
}

TEST(Program, ReadsTheCloudsThatItWrites) {
  const test::TempDir folder;
  const std::string street = test::write_street(folder / "street", 1).string();
  const std::string out = (folder / "out").string();
  ASSERT_EQ(roadplane("segment " + street + " --save ply,pcd --out " + out).code, 0);
  const Outcome scan = roadplane("info " + street + "/velodyne/000000.bin --json");
  const auto points = scan.text.substr(scan.text.find("\"points\""), 20);
  for (const char* kind : {"ply", "pcd"}) {
    const std::string cloud = out + "/" + kind + "/00/000000." + kind;
    EXPECT_TRUE(has(roadplane("info " + cloud + " --json").text, points)) << kind;
  }
  const std::string bad = folder.write("bad.pcd", "VERSION 0.7\n").string();
  const Outcome refused = roadplane("segment " + bad + " --out " + (folder / "b").string());
  EXPECT_TRUE(has(refused.text, "bad.pcd")) << "an error that comes from the module";
  EXPECT_TRUE(has(refused.text, "expected")) << refused.text;
}

TEST(Program, WhatHasNoEffectOnTheDataIsSaid) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 1);
  const std::string scan = (folder / "alone/000000.bin").string();
  fs::create_directories(folder / "alone");
  fs::copy_file(street / "velodyne/000000.bin", scan);
  const Outcome styled =
      roadplane("segment " + scan + " --overlay-style truth --out " + (folder / "a").string());
  EXPECT_EQ(styled.code, 0) << styled.text;
  EXPECT_TRUE(has(styled.text, "note: no frame has a truth")) << styled.text;
  const std::string cloud = folder.write("a.xyz", "1 2 3\n").string();
  EXPECT_EQ(roadplane("segment " + cloud + " --format nuscenes").text,
            "roadplane: --format: expected raw .bin scans with it, found a.xyz\n");
  const std::string net =
      folder.write("net.json", R"({"agents": 2, "edges": [[0, 1]], "weights": [0.5]})").string();
  EXPECT_TRUE(
      has(roadplane("segment " + scan + " --agents 2 --mixing max-degree --topology " + net).text,
          "--mixing: expected none where --topology has weights of its own"));
}

TEST(Program, TheNumberOfJobsChangesNoFile) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 6, true);
  for (const char* jobs : {"1", "3"}) {
    ASSERT_EQ(roadplane("segment " + street.string() + " --quiet --save label,overlay,ply,trace " +
                        "--jobs " + jobs + " --out " + (folder / jobs).string())
                  .code,
              0);
  }
  EXPECT_EQ(contents(folder / "1"), contents(folder / "3"));
}

TEST(Program, AllLayoutsOfTheRealDataWorkWithoutOptions) {
  ROADPLANE_KITTI_OR_SKIP(data);
  const test::TempDir folder;
  int number = 0;
  for (const char* path :
       {"raw/2011_09_26", "odometry/sequences/00", "odometry/sequences/04", "odometry/sequences/08",
        "object/training", "pcd", "dpcp_annotations/09_29_071"}) {
    const fs::path out = folder / std::to_string(++number);
    const Outcome outcome =
        roadplane("segment " + (data / path).string() + " --jobs 2 --quiet --out " + out.string());
    EXPECT_EQ(outcome.code, 0) << path << "\n" << outcome.text;
    const auto summary = nlohmann::json::parse(text_of(out / "summary.json"));
    EXPECT_EQ(summary["aggregate"]["ok"], summary["frames"].size()) << path;
  }
}

}  // namespace
}  // namespace roadplane
