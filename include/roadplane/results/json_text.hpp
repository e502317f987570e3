#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace roadplane {

/// JSON as text: in one line, or with `indent` blanks a level. Invalid UTF-8, as a file name may
/// have it, is replaced: a run must not end because of a name.
std::string text_of(const nlohmann::json& value, int indent = -1);

}  // namespace roadplane
