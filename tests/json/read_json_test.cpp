#include "roadplane/json/read_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/input_error.hpp"
#include "support/temp_dir.hpp"

namespace roadplane {
namespace {

std::string nested(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

TEST(ParseJson, GivesWhatIsThere) {
  EXPECT_EQ(parse_json(R"({"a": [1, "]]\"[["]})", "here"), (nlohmann::json{{"a", {1, "]]\"[["}}}));
}

TEST(ParseJson, RefusesWhatIsNone) {
  for (const char* text : {"", "{", "]", "\"", "{\"a\": 1}}"}) {
    test::expect_one_line([&] { parse_json(text, "here", "options"); }, "here",
                          "found text that is not JSON");
  }
}

TEST(ParseJson, HasABoundForLevels) {
  EXPECT_TRUE(parse_json(nested(kMostJsonLevels), "here").is_array());
  EXPECT_TRUE(parse_json("\"" + nested(1000) + "\"", "here").is_string()) << "a text has no levels";
  for (const std::size_t levels : {kMostJsonLevels + 1, std::size_t{400'000}}) {
    test::expect_one_line([&] { parse_json(nested(levels), "here"); }, "here", "found more");
  }
}

TEST(ReadJson, NamesTheFile) {
  const test::TempDir dir;
  const auto file = dir.write("a.json", "{");
  test::expect_one_line([&] { read_json(file, 100); }, file.string(), "not JSON");
  test::expect_one_line([&] { read_json(file, 0); }, file.string(), "found 1");
}

TEST(Shown, IsTheBeginningInOneLine) {
  EXPECT_EQ(shown(3), "3");
  EXPECT_EQ(shown({1, "a\n"}), R"([1,"a\n"])");
  EXPECT_LE(shown(std::string(1'000'000, 'x')).size(), 60U);
  EXPECT_EQ(shown(nlohmann::json(std::vector<int>(1000))), "1000 values");
}

}  // namespace
}  // namespace roadplane
