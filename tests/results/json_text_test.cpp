#include "roadplane/results/json_text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace roadplane {
namespace {

TEST(JsonText, ReplacesWhatIsNotUtf8) {
  const nlohmann::json value = {{"name", "caf\xe9"}};
  EXPECT_EQ(text_of(value), "{\"name\":\"caf\xef\xbf\xbd\"}");
  EXPECT_EQ(text_of(value, 2), "{\n  \"name\": \"caf\xef\xbf\xbd\"\n}");
}

}  // namespace
}  // namespace roadplane
