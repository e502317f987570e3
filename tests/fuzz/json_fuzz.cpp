#include <nlohmann/json.hpp>

#include "fuzz.hpp"
#include "roadplane/json/read_json.hpp"
#include "roadplane/results/json_text.hpp"

// Any text as JSON: what is written of it reads as the same, and what is shown of it is one line.
void roadplane::fuzz(std::span<const std::byte> content) {
  const nlohmann::json document = parse_json(as_text(content), "fuzz");
  require(shown(document).find('\n') == std::string::npos && shown(document).size() < 80);
  const std::string text = text_of(document);
  require(text_of(parse_json(text, "fuzz")) == text);
}
