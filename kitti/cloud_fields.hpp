#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "roadplane/base/input_error.hpp"

namespace roadplane::kitti {

/// The field that holds the reflectance; empty without any. Throws InputError unless x, y and z
/// are among the fields and no field is there twice.
inline std::string check_fields(const std::vector<std::string>& fields, const std::string& where) {
  const auto count = [&](std::string_view name) {
    return std::count(fields.begin(), fields.end(), name);
  };
  for (const char* name : {"x", "y", "z"}) {
    if (count(name) == 0) throw InputError(where, "fields x, y and z", std::string("no ") + name);
  }
  for (const std::string& field : fields) {
    if (field != "_" && count(field) > 1) {  // "_" is PCD's name for padding
      throw InputError(where, "each field once", "field " + field + " twice");
    }
  }
  for (const char* name : {"intensity", "reflectance", "i"}) {
    if (count(name) > 0) return name;
  }
  return {};
}

}  // namespace roadplane::kitti
