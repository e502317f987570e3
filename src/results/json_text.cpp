#include "roadplane/results/json_text.hpp"

#include <nlohmann/json.hpp>

namespace roadplane {

std::string text_of(const nlohmann::json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace roadplane
