#include "roadplane/base/text.hpp"

#include <gtest/gtest.h>

#include "roadplane/base/words.hpp"

namespace roadplane {
namespace {

TEST(NamesAsUtf8, MostStayWhatTheyAre) {
  for (const std::string name :
       {"", "000000", "2011_09_26/a b", "Stra\u00dfe/\u9053\u8def", "a\\b"}) {
    EXPECT_EQ(utf8_of_name(name), name);
  }
}

TEST(NamesAsUtf8, AnyBytesComeBack) {
  EXPECT_EQ(utf8_of_name("a\xff"), "a\\xFF");
  EXPECT_EQ(utf8_of_name("\\xFF"), "\\x5CxFF") << "is another name";
  std::string all;
  for (int byte = 1; byte < 256; ++byte) all += static_cast<char>(byte);
  const std::string ends[] = {"\xe2\x82", "\xed\xa0\x80", "\xc0\xaf", "\xf4\x90\x80\x80",
                              "\\x5CxFF"};
  for (const std::string& name : {all, all + all, ends[0], ends[1], ends[2], ends[3], ends[4]}) {
    const std::string text = utf8_of_name(name);
    EXPECT_EQ(name_of_utf8(text), name);
    std::string_view rest = text;
    while (!rest.empty()) {
      const std::string_view character = take_character(rest);
      const bool ascii = static_cast<unsigned char>(character.front()) < 0x80;
      EXPECT_TRUE(ascii || character.size() > 1) << text;
    }
  }
}

TEST(TerminalText, CommandsNoTerminal) {
  EXPECT_EQ(terminal_text("a\x1b[31mb\nc\td\x7f"), "a?[31mb?c?d?");
  EXPECT_EQ(terminal_text("\u009b31m"), "?31m") << "the one-byte form of an escape sequence";
  EXPECT_EQ(terminal_text("Stra\u00dfe \xff"), "Stra\u00dfe ?");
}

TEST(TerminalText, OfAMegabyteKeepsBeginningAndEnd) {
  const std::string text = terminal_text("begin" + std::string(1'000'000, 'x') + "end");
  EXPECT_LT(text.size(), 3000U);
  EXPECT_TRUE(text.starts_with("beginxxx"));
  EXPECT_TRUE(text.ends_with("xxxend"));
}

}  // namespace
}  // namespace roadplane
