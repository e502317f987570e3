// From the field that the library refuses to the option that the user typed.

#include "option_names.hpp"

#include <gtest/gtest.h>

#include "exit_code.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/mpi/process_group.hpp"

namespace roadplane::app {
namespace {

TEST(OptionNames, FollowTheFieldsButForSome) {
  EXPECT_EQ(option_of("topology"), "--topology");
  EXPECT_EQ(option_of("tune_frames"), "--tune-frames");
  EXPECT_EQ(option_of("prior.min_height_m"), "--min-height-m");
  EXPECT_EQ(option_of("stop.max_iterations"), "--iterations");
  EXPECT_EQ(option_of("stop.max_seconds"), "--budget");
  EXPECT_EQ(option_of("stop.residual_tolerance"), "--tolerance");
  EXPECT_EQ(option_of("path"), "PATH");
}

TEST(Refusal, IsWrongUsageForAField) {
  const FieldError error("prior.min_height_m", "less than {prior.max_height_m} (4)", "5");
  const std::string line = "--min-height-m: expected less than --max-height-m (4), found 5";
  EXPECT_EQ(refusal_of(error).line, line);
  EXPECT_EQ(refusal_of(error).exit_code, kWrongUsage);
  EXPECT_EQ(refusal_of(AgreedError(error, "rank 3: ")).line, "rank 3: " + line);
  EXPECT_EQ(refusal_of(AgreedError(error)).exit_code, kWrongUsage);
}

TEST(Refusal, NamesTheWordThatWasMeant) {
  const auto ends = [](const char* expected, const char* found, const std::string& end) {
    const std::string line = refusal_of(FieldError("topology", expected, found)).line;
    EXPECT_TRUE(line.ends_with("found " + std::string(found) + end)) << line;
  };
  ends("erdos-renyi:PROBABILITY, ring or star", "\"rnig\"", " (did you mean ring?)");
  ends("vrsgt, destiny or drsgd", "\"VRSGT\"", " (did you mean vrsgt?)");
  ends("a distance such as 0.15m", "\"0.15\"", " (did you mean 0.15m?)");
  ends("label, overlay or ply", "\"overlays\"", " (did you mean overlay?)");
  ends("ring or star", "\"torus\"", "");
  ends("labels or agents, where {truth} is none", "\"truth\"", "");
  ends("drop=SHARE beside outage", "\"outage=5\"", "");
}

TEST(Refusal, IsBadInputForEverythingElse) {
  const InputError error("scan.bin", "a readable file", "no such file");
  EXPECT_EQ(refusal_of(error).line, "scan.bin: expected a readable file, found no such file");
  EXPECT_EQ(refusal_of(error).exit_code, kBadInput);
  EXPECT_EQ(refusal_of(AgreedError("rank 1: broken")).line, "rank 1: broken");
  EXPECT_EQ(refusal_of(AgreedError("rank 1: broken")).exit_code, kBadInput);
  const InputError in_a_file("config.json", FieldError("shards", "azimuth or random", "\"x\""));
  EXPECT_EQ(refusal_of(in_a_file).line,
            "config.json: shards: expected azimuth or random, found \"x\"");
  EXPECT_EQ(refusal_of(in_a_file).exit_code, kBadInput);
}

}  // namespace
}  // namespace roadplane::app
