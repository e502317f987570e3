#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane {

/// The values of an enumeration and what the user calls them.
template <class Value, std::size_t count>
using NamedValues = std::array<std::pair<Value, std::string_view>, count>;

template <class Value, std::size_t count>
constexpr std::string_view name_of(const NamedValues<Value, count>& values, Value wanted) {
  for (const auto& [value, name] : values) {
    if (value == wanted) return name;
  }
  return "?";
}

/// Throws FieldError that lists the known names.
template <class Value, std::size_t count>
Value value_of(const NamedValues<Value, count>& values, std::string_view wanted,
               const std::string& field) {
  std::array<std::string_view, count> known;
  for (std::size_t k = 0; k < count; ++k) {
    known[k] = values[k].second;
    if (known[k] == wanted) return values[k].first;
  }
  throw FieldError(field, alternatives(known), in_quotes(wanted));
}

}  // namespace roadplane
