// Scans through standard input: an answer for each as it comes, the same as of files.

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "support/program.hpp"
#include "support/street.hpp"
#include "support/temp_dir.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;
using test::Outcome;
using test::text_of;

std::string length_of(std::uint32_t length) {
  std::string bytes(sizeof(length), '\0');
  std::memcpy(bytes.data(), &length, sizeof(length));
  return bytes;
}

std::string with_length(const std::string& bytes) {
  return length_of(static_cast<std::uint32_t>(bytes.size())) + bytes;
}

Outcome segment_files(const std::string& arguments) {
  return test::run_command(std::string(ROADPLANE_PROGRAM) + " segment " + arguments);
}

/// What it answers to such a stream.
Outcome answer_to(const std::string& stream, const std::string& options = "") {
  const test::TempDir folder;
  folder.write("stream", stream);
  return segment_files("- " + options + " < " + (folder / "stream").string());
}

std::vector<nlohmann::json> lines_of(const std::string& text) {
  std::vector<nlohmann::json> records;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && line.starts_with("{");) {
    records.push_back(nlohmann::json::parse(line));
  }
  return records;
}

constexpr int kLiveScans = 4;

class Live : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<test::TempDir>();
    street_ = test::write_street(*folder_ / "street", kLiveScans);
    for (int k = 0; k < kLiveScans; ++k) {
      scans_.push_back(text_of(street_ / ("velodyne/00000" + std::to_string(k) + ".bin")));
    }
  }
  static void TearDownTestSuite() {
    folder_.reset();
    scans_.clear();
  }

  static std::unique_ptr<test::TempDir> folder_;
  static fs::path street_;
  static std::vector<std::string> scans_;
};

std::unique_ptr<test::TempDir> Live::folder_;
fs::path Live::street_;
std::vector<std::string> Live::scans_;

TEST_F(Live, AnswersWhatTheTrackOfTheSameFilesSays) {
  std::string stream;
  for (const std::string& scan : scans_) stream += with_length(scan);
  for (const char* options : {"", "--target ground --agents 4 --sensor-height 0.5"}) {
    const Outcome live = answer_to(stream, options);
    ASSERT_EQ(live.code, 0) << live.text;
    const auto out = *folder_ / ("run" + std::to_string(std::strlen(options)));
    ASSERT_EQ(segment_files(street_.string() + " --track --save none --truth none --quiet " +
                            options + " --out " + out.string())
                  .code,
              0);
    const auto answers = lines_of(live.text);
    const auto records = lines_of(text_of(out / "frames.jsonl"));
    ASSERT_EQ(answers.size(), std::size_t{kLiveScans}) << live.text;
    ASSERT_EQ(records.size(), answers.size());
    for (std::size_t k = 0; k < answers.size(); ++k) {
      EXPECT_EQ(answers[k]["name"], "stdin/00000" + std::to_string(k));
      EXPECT_GT(answers[k]["ms"]["latency"], 0);
      auto answer = answers[k];
      auto record = records[k];
      for (const char* key : {"name", "sequence", "ms"}) {
        answer.erase(key);
        record.erase(key);
      }
      EXPECT_EQ(answer, record);
    }
  }
}

TEST_F(Live, AnswersAtOnce) {
  // The second scan is sent when the first one's answer has come.
  const std::string pipe = (*folder_ / "pipe").string();
  const std::string answers = (*folder_ / "answers").string();
  folder_->write("first", with_length(scans_[0]));
  folder_->write("second", with_length(scans_[1]));
  const std::string first = (*folder_ / "first").string();
  const std::string second = (*folder_ / "second").string();
  const Outcome outcome = test::run_command(
      "mkfifo " + pipe + " && { " + ROADPLANE_PROGRAM + " segment - < " + pipe + " > " + answers +
      " & } && exec 3> " + pipe + " && cat " + first + " >&3 && for k in $(seq 600); do [ -s " +
      answers + " ] && break; sleep 0.1; done; wc -l < " + answers + "; cat " + second +
      " >&3; exec 3>&-; wait; wc -l < " + answers);
  EXPECT_EQ(outcome.text, "1\n2\n");
}

TEST_F(Live, AScanWithoutAPlaneFailsAndTheOthersGoOn) {
  const std::string noise(16 * 500, '\x7f');  // no numbers
  const Outcome outcome =
      answer_to(with_length(scans_[0]) + with_length("") + with_length(noise) +
                with_length(scans_[0].substr(0, 16 * 2)) + with_length(scans_[1]));
  EXPECT_EQ(outcome.code, 3);
  const auto records = lines_of(outcome.text);
  ASSERT_EQ(records.size(), 5U) << outcome.text;
  for (const std::size_t k : {1U, 2U, 3U}) {
    EXPECT_EQ(records[k]["status"], "failed");
    EXPECT_TRUE(test::has(records[k]["error"], "stdin/00000" + std::to_string(k) + ": expected "));
  }
  EXPECT_EQ(records[4]["status"], "ok");
}

struct BadStream {
  const char* name;
  std::string (*stream)(const std::string& scan);
  const char* message;
};

constexpr BadStream kBadStreams[] = {
    {"a part of a length", [](const std::string& s) { return with_length(s) + "ab"; },
     "standard input, scan 1: expected a length of 4 bytes, found 2 at the end"},
    {"no whole points", [](const std::string& s) { return length_of(1001) + s; },
     "scan 0: expected a length in bytes, a multiple of 16, at most 268435456, found 1001"},
    {"points of another length",
     [](const std::string& s) { return with_length(s) + with_length(std::string(20, 'x')); },
     "scan 1: expected a length in bytes, a multiple of 16"},
    {"a count in place of bytes",
     [](const std::string& s) {
       return length_of(static_cast<std::uint32_t>(s.size() / 16) | 1) + s;
     },
     "a multiple of 16"},
    {"too much", [](const std::string& s) { return length_of(0xfffffff0) + s; },
     "at most 268435456, found 4294967280"},
    {"a text", [](const std::string&) { return std::string("x,y,z\n1,2,3\n"); },
     "scan 0: expected a length in bytes"},
    {"a length alone", [](const std::string&) { return length_of(160); },
     "scan 0: expected 160 bytes, found 0 at the end"},
    {"an early end", [](const std::string& s) { return length_of(160000) + s.substr(0, 100); },
     "scan 0: expected 160000 bytes, found 100 at the end"},
    {"big-endian", [](const std::string& s) { return std::string("\0\0\x01\x01", 4) + s; },
     "scan 0: expected 16842752 bytes, found"},
    {"a PCD file", [](const std::string&) { return std::string("# .PCD v0.7\nVERSION 0.7\n"); },
     "scan 0: expected a length in bytes"},
};

TEST_F(Live, AStreamThatCannotBeUnderstoodIsRefusedInOneLine) {
  for (const BadStream& bad : kBadStreams) {
    const Outcome outcome = answer_to(bad.stream(scans_[0]));
    EXPECT_EQ(outcome.code, 2) << bad.name;
    EXPECT_TRUE(test::has(outcome.text, bad.message)) << bad.name << ": " << outcome.text;
    const std::size_t answers = lines_of(outcome.text).size();
    EXPECT_EQ(static_cast<std::size_t>(std::count(outcome.text.begin(), outcome.text.end(), '\n')),
              answers + 1)
        << bad.name << ": " << outcome.text;
  }
  EXPECT_EQ(answer_to("").code, 0);
  EXPECT_EQ(answer_to("").text, "");
}

TEST_F(Live, OptionsWithoutAMeaningAreRefused) {
  for (const char* options : {"--out x", "--report", "--jobs 2", "--save none", "--truth none",
                              "--frames 0:2", "--quiet", "--overlay-style agents"}) {
    const Outcome outcome = answer_to("", options);
    EXPECT_EQ(outcome.code, 1) << options;
    EXPECT_TRUE(test::has(outcome.text, "expected a PATH other than - with it")) << outcome.text;
  }
  EXPECT_EQ(answer_to("", "--objective l3").code, 1);
  EXPECT_EQ(answer_to("", "--format xyzw").code, 1);
}

}  // namespace
}  // namespace roadplane
