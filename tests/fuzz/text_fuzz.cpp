#include <algorithm>

#include "fuzz.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/results/grouped_table.hpp"
#include "roadplane/results/tables.hpp"

// Any text of others on its way to a screen or into a table.
void roadplane::fuzz(std::span<const std::byte> content) {
  const std::string text(as_text(content));
  for (const std::string& shown : {in_one_line(text), terminal_text(text), in_quotes(text)}) {
    require(std::none_of(shown.begin(), shown.end(), [](char c) {
      return (static_cast<unsigned char>(c) < 0x20) || c == 0x7F;
    }));
    std::string_view rest = shown;
    while (!rest.empty()) {  // whole characters only
      const std::string_view character = take_character(rest);
      require(character.size() > 1 || static_cast<unsigned char>(character.front()) < 0x80);
    }
  }
  require(name_of_utf8(utf8_of_name(text)) == text);
  // A cell stays one cell: quotes in it are doubled, and it is in quotes if it has a comma.
  const std::string cell = csv_text(text);
  const bool quoted = cell.size() >= 2 && cell.front() == '"';
  require(quoted || cell.find_first_of(",\"\n\r") == std::string::npos);
  require(std::count(cell.begin(), cell.end(), '"') % 2 == 0);
  require(markdown_text(text).find('\n') == std::string::npos);
  latex_text(text);
  const FieldError error = FieldError::unpacked(text);
  require(FieldError::unpacked(error.packed()).what() == std::string(error.what()));
}
