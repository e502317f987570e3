// What a user of mpirun meets when something goes wrong: one readable reason, a prompt end, and a
// run that can be resumed.

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <thread>

#include "mpi_program.hpp"
#include "roadplane/base/counter_random.hpp"
#include "support/street.hpp"
#include "support/temp_dir.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;
using test::contents;
using test::has;
using test::mpirun;
using test::Outcome;
using test::plain;
using test::run_command;
using test::segment;

/// A network so slow that a frame takes a tenth of a second.
constexpr const char* kSlow = " --save label --links latency=600us";

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

/// mpirun in the background.
class Job {
 public:
  explicit Job(const std::string& command, const fs::path& log) : log_(log) {
    const std::string line = "exec " + command + " >" + log.string() + " 2>&1";
    pid_ = ::fork();
    if (pid_ != 0) return;
    ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
    ::_exit(127);
  }

  /// `timeout` starts mpirun, and that the program's processes.
  pid_t mpirun_itself() const { return children(pid_).at(0); }
  std::vector<pid_t> ranks() const {
    const std::vector<pid_t> parent = children(pid_);
    return parent.empty() ? parent : children(parent[0]);
  }

  void wait_for(const fs::path& file) const {
    for (int k = 0; k < 1000 && !fs::exists(file); ++k) sleep_ms(10);
    ASSERT_TRUE(fs::exists(file)) << test::text_of(log_);
  }

  /// Its exit code, and how long it took to end.
  Outcome finish(double* seconds = nullptr) const {
    const auto begin = std::chrono::steady_clock::now();
    int status = 0;
    ::waitpid(pid_, &status, 0);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    if (seconds != nullptr) *seconds = taken.count();
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128, test::text_of(log_)};
  }

  static void sleep_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

 private:
  static std::vector<pid_t> children(pid_t parent) {
    std::vector<pid_t> found;
    for (const auto& entry : fs::directory_iterator("/proc")) {
      std::ifstream status(entry.path() / "status");
      for (std::string line; std::getline(status, line);) {
        if (line == "PPid:\t" + std::to_string(parent)) {
          found.push_back(std::stoi(entry.path().filename()));
        }
      }
    }
    return found;
  }

  fs::path log_;
  pid_t pid_;
};

TEST(Usage, IsToldOnce) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 1);
  const auto refused = [&](const std::string& arguments, const std::string& part, int code) {
    const Outcome outcome = run_command(mpirun(3, arguments));
    EXPECT_EQ(outcome.code, code) << outcome.text;
    EXPECT_EQ(count(outcome.text, part), 1U) << arguments << "\n" << outcome.text;
  };
  const fs::path out = folder / "out";
  refused("segment x --agents 0", "--agents: expected 1 to 10000", 1);
  refused(segment(street, out, "--jobs 2"), "--jobs: expected 1 with MPI", 1);
  refused(segment(street, out, "--ranks-per-frame 4"), "--ranks-per-frame: expected", 1);
  refused(segment(folder / "none", out, ""), "none: expected", 2);
  refused(segment(street, folder.path(), ""), "--out: expected a new or empty folder", 1);
  refused("info " + street.string(), "odometry, 1 frame", 0);  // one process's work
  EXPECT_FALSE(fs::exists(out));
}

/// Hosts whose disks differ: /proc/self/cwd is another folder for each rank.
TEST(Hosts, ThatSeeOtherDataAreNamed) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "a/street", 3);
  fs::create_directories(folder / "b");
  fs::copy(folder / "a", folder / "b", fs::copy_options::recursive);
  const fs::path seen = "/proc/self/cwd" / fs::relative(street, folder / "a");
  fs::resize_file(folder / "b" / fs::relative(street, folder / "a") / "velodyne/000001.bin", 1607);
  const auto run = [&](const fs::path& out) {
    const std::string arguments =
        ROADPLANE_PROGRAM + (" " + segment(seen, out, "--save label --truth none"));
    return run_command(mpirun(fmt::format("-np 2 -wdir {0}/a {1} : -np 1 -wdir {0}/b {1}",
                                          folder.path().string(), arguments)));
  };
  // One rank finds a truncated scan: that frame has failed, and the record says where.
  const Outcome truncated = run(folder / "out");
  EXPECT_EQ(truncated.code, 3) << truncated.text;
  const std::string records = test::text_of(folder / "out/frames.jsonl");
  EXPECT_EQ(count(records, "\"status\":\"ok\""), 2U) << records;
  EXPECT_EQ(count(records, "rank 2: " + seen.string() + "/velodyne/000001.bin: expected"), 1U)
      << records;
  // One rank finds fewer frames: that is no run at all.
  fs::remove(folder / "b" / fs::relative(street, folder / "a") / "velodyne/000002.bin");
  const Outcome missing = run(folder / "out2");
  EXPECT_EQ(missing.code, 2) << missing.text;
  EXPECT_EQ(count(missing.text, "rank 2: expected 3 frames"), 1U) << missing.text;
  EXPECT_FALSE(fs::exists(folder / "out2"));
}

TEST(Hosts, ThatSeeAnotherScanOfTheSameLengthAreNamed) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "a/street", 2);
  fs::create_directories(folder / "b");
  fs::copy(folder / "a", folder / "b", fs::copy_options::recursive);
  const fs::path below = fs::relative(street, folder / "a");
  {
    std::fstream scan(folder / "b" / below / "velodyne/000001.bin",
                      std::ios::binary | std::ios::in | std::ios::out);
    scan.seekp(16 * 100 + 2);
    scan.put('x');
  }
  for (const char* shards : {"azimuth", "contiguous"}) {
    const fs::path out = folder / shards;
    const std::string arguments =
        ROADPLANE_PROGRAM + (" " + segment("/proc/self/cwd" / below, out,
                                           std::string("--save label --shards ") + shards));
    const Outcome outcome = run_command(mpirun(fmt::format(
        "-np 1 -wdir {0}/a {1} : -np 1 -wdir {0}/b {1}", folder.path().string(), arguments)));
    EXPECT_EQ(outcome.code, 3) << outcome.text;
    const std::string records = test::text_of(out / "frames.jsonl");
    EXPECT_EQ(count(records, "\"status\":\"ok\""), 1U) << records;
    EXPECT_EQ(count(records, "rank 1: expected"), 1U) << records;
    EXPECT_EQ(count(records, "checksum"), 2U) << records;
  }
}

TEST(Names, ThatAreNotUtf8LoseNoRecord) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 1);
  fs::create_directory(folder / "scans");
  for (const char* name : {"a\xff.bin", "a\xfe.bin", "b.bin"}) {
    fs::copy_file(street / "velodyne/000000.bin", folder / "scans" / name);
  }
  const fs::path out = folder / "out";
  const std::string options = "--save label --agents 4 --ranks-per-frame 1";
  const Outcome first = run_command(mpirun(2, segment(folder / "scans", out, options)));
  EXPECT_EQ(first.code, 0) << first.text;
  EXPECT_EQ(count(test::text_of(out / "frames.jsonl"), "\n"), 3U);
  const auto summary = nlohmann::json::parse(test::text_of(out / "summary.json"));
  EXPECT_EQ(summary["aggregate"]["ok"], 3);
  const Outcome resumed =
      run_command(mpirun(2, segment(folder / "scans", out, options + " --resume")));
  EXPECT_EQ(resumed.code, 0) << resumed.text;
  EXPECT_EQ(count(test::text_of(out / "frames.jsonl"), "\n"), 3U) << "nothing is done again";
}

/// A rank is ended at any moment of the start: before MPI, in it, before the run folder is there.
TEST(Failure, OfARankThatIsEndedEarlyHangsNoJob) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 6);
  CounterRandom random(static_cast<std::uint64_t>(::getpid()), RandomUse::user);
  for (int k = 0; k < 8; ++k) {
    const fs::path out = folder / std::to_string(k);
    const Job job(mpirun(4, segment(street, out, std::string("--patience 5") + kSlow)),
                  folder / "log");
    Job::sleep_ms(100 + static_cast<int>(random.below(1000)));
    const std::vector<pid_t> ranks = job.ranks();
    if (!ranks.empty()) {
      ::kill(ranks[random.below(static_cast<std::uint32_t>(ranks.size()))], SIGTERM);
    }
    double seconds = 0;
    const Outcome outcome = job.finish(&seconds);
    EXPECT_LT(seconds, 30) << outcome.text;
  }
}

TEST(Failure, OfTheRunFolderEndsTheJob) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 40);
  const fs::path out = folder / "out";
  const Job job(mpirun(4, segment(street, out, "--save none --links latency=600us")),
                folder / "log");
  job.wait_for(out / "frames.jsonl");
  fs::remove_all(out);
  double seconds = 0;
  const Outcome outcome = job.finish(&seconds);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(has(outcome.text, "rank 0: ")) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "frames.jsonl: expected a file that can be written"))
      << outcome.text;
  EXPECT_LT(seconds, 10);
}

/// MPI's own start waits for all ranks.
TEST(Failure, OfARankToStartEndsTheJob) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 1);
  const std::string program =
      std::string(ROADPLANE_PROGRAM) + " " + segment(street, folder / "out", "--patience 2");
  double seconds = 0;
  const Job job(mpirun(fmt::format("-np 2 {} : -np 1 sleep 60", program)), folder / "log");
  const Outcome outcome = job.finish(&seconds);
  EXPECT_NE(outcome.code, 0);
  EXPECT_TRUE(has(outcome.text, "the start of MPI took more than 2 s, giving up")) << outcome.text;
  EXPECT_LT(seconds, 15);
}

/// A rank that neither ends nor answers: the others do not wait for ever.
TEST(Failure, OfARankToAnswerEndsTheJob) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 40);
  const fs::path out = folder / "out";
  const Job job(mpirun(3, segment(street, out, std::string("--patience 2") + kSlow)),
                folder / "log");
  job.wait_for(out / "frames.jsonl");
  const std::vector<pid_t> ranks = job.ranks();
  ASSERT_EQ(ranks.size(), 3U);
  ::kill(ranks[1], SIGSTOP);
  double seconds = 0;
  const Outcome outcome = job.finish(&seconds);
  EXPECT_NE(outcome.code, 0);
  EXPECT_TRUE(has(outcome.text, "no word from")) << outcome.text;
  EXPECT_LT(seconds, 15);
}

TEST(Resume, AfterAnyRankWasKilledLosesNothingAndRepeatsNothing) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 16);
  const fs::path out = folder / "killed";
  ASSERT_EQ(run_command(plain(segment(street, folder / "whole", kSlow))).code, 0);
  CounterRandom random(static_cast<std::uint64_t>(::getpid()), RandomUse::user);
  for (const char* ranks_each : {"", " --ranks-per-frame 2", ""}) {
    const Job job(mpirun(4, segment(street, out, std::string("--resume") + kSlow + ranks_each)),
                  folder / "log");
    Job::sleep_ms(600 + static_cast<int>(random.below(600)));
    const std::vector<pid_t> ranks = job.ranks();  // none if it has ended
    const auto victim =
        random.below(static_cast<std::uint32_t>(std::max<std::size_t>(1, ranks.size())));
    if (!ranks.empty()) ::kill(ranks[victim], SIGKILL);
    double seconds = 0;
    const Outcome outcome = job.finish(&seconds);
    EXPECT_LT(seconds, 10) << outcome.text;
  }
  const Outcome last =
      run_command(mpirun(3, segment(street, out, std::string("--resume") + kSlow)));
  ASSERT_EQ(last.code, 0) << last.text;
  EXPECT_EQ(contents(out), contents(folder / "whole"));
}

/// mpirun turns it into SIGTERM for the ranks, and SIGKILL a second later.
TEST(Resume, AfterCtrlC) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 40);
  const fs::path out = folder / "out";
  const Job job(mpirun(2, segment(street, out, kSlow)), folder / "log");
  job.wait_for(out / "frames.jsonl");
  ::kill(job.mpirun_itself(), SIGINT);
  double seconds = 0;
  const Outcome outcome = job.finish(&seconds);
  EXPECT_NE(outcome.code, 0);
  EXPECT_LT(seconds, 10);
  const std::size_t done = count(test::text_of(out / "frames.jsonl"), "\n");
  EXPECT_LT(done, 40U);
  const Outcome resumed = run_command(
      mpirun(4, segment(street, out, std::string("--resume --ranks-per-frame 2") + kSlow)));
  EXPECT_EQ(resumed.code, 0) << resumed.text;
  EXPECT_EQ(count(test::text_of(out / "frames.jsonl"), "\n"), 40U);
}

/// Whoever is told to stop, all stop in order.
TEST(Resume, AfterASignalToOneRank) {
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 40);
  for (const std::size_t rank : {1U, 3U}) {
    const fs::path out = folder / std::to_string(rank);
    const Job job(mpirun(4, segment(street, out, kSlow)), folder / "log");
    job.wait_for(out / "frames.jsonl");
    ::kill(job.ranks().at(rank), SIGTERM);
    const Outcome outcome = job.finish();
    EXPECT_EQ(outcome.code, 3) << outcome.text;
    EXPECT_TRUE(has(outcome.text, "roadplane: stopped after ")) << outcome.text;
    EXPECT_LT(count(test::text_of(out / "frames.jsonl"), "\n"), 20U);
  }
}

/// The library in front of MPI's ends a process that starts MPI with code 99.
TEST(PlainProcess, NeverStartsMpi) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer's library must be the first to be loaded";
#endif
  const test::TempDir folder;
  const fs::path street = test::write_street(folder / "street", 1);
  const std::string tripwire = "LD_PRELOAD=" ROADPLANE_TRIPWIRE " ";
  EXPECT_EQ(run_command(tripwire + plain(segment(street, folder / "a", ""))).code, 0);
  EXPECT_EQ(run_command(tripwire + plain(segment(street, folder / "b", "--mpi"))).code, 99);
  EXPECT_EQ(run_command(plain(segment(street, folder / "c", "--mpi"))).code, 0);
}

}  // namespace
}  // namespace roadplane
