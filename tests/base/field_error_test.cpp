#include "roadplane/base/field_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "roadplane/base/named_values.hpp"
#include "support/input_error.hpp"

namespace roadplane {
namespace {

using test::input_error_of;

std::string loud(const std::string& field) { return "<" + field + ">"; }

TEST(InputError, KeepsItsParts) {
  const InputError error("a.bin", "a file", "none");
  EXPECT_EQ(error.where(), "a.bin");
  EXPECT_EQ(error.expected(), "a file");
  EXPECT_EQ(error.found(), "none");
  EXPECT_STREQ(error.what(), "a.bin: expected a file, found none");
  EXPECT_STREQ(InputError("b.zip", error).what(), "b.zip: a.bin: expected a file, found none");
}

TEST(FieldError, NamesFieldsAsItsReaderDoes) {
  const FieldError error("low", "less than {other.high} (4)", "5");
  EXPECT_STREQ(error.what(), "low: expected less than other.high (4), found 5");
  EXPECT_EQ(error.line_with(loud), "<low>: expected less than <other.high> (4), found 5");
}

TEST(FieldError, LeavesOtherBracesAlone) {
  for (const char* text : {R"({"agents": N})", "{}", "{ x }", "{x", "a {", "}"}) {
    EXPECT_EQ(FieldError("f", text, "1").line_with(loud),
              "<f>: expected " + std::string(text) + ", found 1");
  }
}

TEST(FieldError, TellsWhereInAValue) {
  const FieldError error("topology", InputError("net.json", "a file", "none"));
  EXPECT_EQ(error.field(), "topology");
  EXPECT_STREQ(error.what(), "topology: net.json: expected a file, found none");
  EXPECT_EQ(error.line_with(loud), "<topology>: net.json: expected a file, found none");
}

TEST(FieldError, TravelsAsBytes) {
  for (const FieldError& error :
       {FieldError("low", "less than {high}", "5"),
        FieldError("low", InputError("a.json", "a file", "none")), FieldError("", "", "")}) {
    const FieldError arrived = FieldError::unpacked(error.packed());
    EXPECT_STREQ(arrived.what(), error.what());
    EXPECT_EQ(arrived.field(), error.field());
    EXPECT_EQ(arrived.line_with(loud), error.line_with(loud));
  }
  EXPECT_EQ(FieldError::unpacked("x").field(), "x");  // whatever the bytes
}

TEST(InField, PutsAnErrorUnderTheFieldOnce) {
  const auto error_of = [](const InputError& error) {
    return input_error_of([&] { in_field("links", [&]() -> int { throw error; }); });
  };
  EXPECT_EQ(error_of({"drop", "a share", "2"}), "links: drop: expected a share, found 2");
  EXPECT_EQ(input_error_of([] {
              in_field("links", []() -> int { throw FieldError("links", "a list", "x"); });
            }),
            "links: expected a list, found x");
  EXPECT_EQ(in_field("links", [] { return 3; }), 3);
}

TEST(Require, TellsTheFieldAndTheRange) {
  EXPECT_NO_THROW(require_range("x", 1, 1, 2));
  EXPECT_EQ(input_error_of([] { require_range("x", 0.1, 0.5, 1e6); }),
            "x: expected 0.5 to 1000000, found 0.1");
  EXPECT_EQ(input_error_of([] { require_range("x", NAN, 0, 1); }), "x: expected 0 to 1, found nan");
  EXPECT_EQ(input_error_of([] { require(false, "x", "above 0", 1e-9); }),
            "x: expected above 0, found 1e-09");
}

TEST(Words, NumbersHaveNoIdleDigits) {
  EXPECT_EQ(in_digits(5), "5");
  EXPECT_EQ(in_digits(-0.25), "-0.25");
  EXPECT_EQ(in_digits(100000), "100000");
  EXPECT_EQ(in_digits(1e300), "1e+300");
  EXPECT_EQ(in_digits(-INFINITY), "-inf");
}

TEST(Words, QuotesKeepAMessageOnOneShortLine) {
  EXPECT_EQ(in_quotes("a"), "\"a\"");
  EXPECT_EQ(in_quotes("a\nb"), "\"a?b\"");
  EXPECT_EQ(in_quotes(std::string(50, 'x')), "\"" + std::string(40, 'x') + "...\"");
}

TEST(NamedValues, GoThereAndBackOrAreListed) {
  constexpr NamedValues<int, 3> kValues{{{1, "one"}, {2, "two"}, {3, "three"}}};
  EXPECT_EQ(name_of(kValues, 2), "two");
  EXPECT_EQ(value_of(kValues, "three", "number"), 3);
  EXPECT_EQ(input_error_of([&] { value_of(kValues, "four", "number"); }),
            "number: expected one, two or three, found \"four\"");
}

}  // namespace
}  // namespace roadplane
