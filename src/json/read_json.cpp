#include "roadplane/json/read_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane {
namespace {

using nlohmann::json;

/// The number of brackets that are open at once, those in texts aside.
std::size_t levels_of(std::string_view text) {
  std::size_t open = 0;
  std::size_t most = 0;
  bool in_text = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '"') in_text = !in_text;
    if (in_text) {
      if (c == '\\') ++k;  // what follows ends no text
    } else if (c == '[' || c == '{') {
      most = std::max(most, ++open);
    } else if ((c == ']' || c == '}') && open > 0) {
      --open;
    }
  }
  return most;
}

}  // namespace

json parse_json(std::string_view text, const std::string& where, const std::string& expected) {
  if (levels_of(text) > kMostJsonLevels) {
    throw InputError(where, "JSON of at most " + std::to_string(kMostJsonLevels) + " levels",
                     "more");
  }
  json document = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded()) throw InputError(where, expected, "text that is not JSON");
  return document;
}

json read_json(const std::filesystem::path& path, std::size_t max_bytes,
               const std::string& expected) {
  return parse_json(read_text_file(path, max_bytes), path.string(), expected);
}

std::string shown(const json& value) {
  constexpr std::size_t kShown = 60;
  if (value.is_structured() && value.size() > kShown) {  // longer than what is shown of it
    return std::to_string(value.size()) + (value.is_array() ? " values" : " entries");
  }
  return shortened(value.dump(-1, ' ', true, json::error_handler_t::replace), kShown);
}

}  // namespace roadplane
