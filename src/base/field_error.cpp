#include "roadplane/base/field_error.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "roadplane/base/words.hpp"

namespace roadplane {
namespace {

constexpr char kSeparator = '\0';  // between packed parts, none of which holds it

/// The text with every "{field}" in it as `name_of` calls the field; other braces stay.
std::string with_names(const std::string& pattern, const FieldError::NameOf& name_of) {
  constexpr const char* kOfFields = "abcdefghijklmnopqrstuvwxyz0123456789_.";
  std::string text;
  for (std::size_t k = 0; k < pattern.size();) {
    const std::size_t end = pattern.find_first_not_of(kOfFields, k + 1);
    if (pattern[k] == '{' && end != std::string::npos && end > k + 1 && pattern[end] == '}') {
      text += name_of(pattern.substr(k + 1, end - k - 1));
      k = end + 1;
    } else {
      text += pattern[k++];
    }
  }
  return text;
}

std::string as_it_is(const std::string& field) { return field; }

}  // namespace

FieldError::FieldError(std::string field, std::string inside, std::string pattern,
                       std::string found)
    : InputError(inside.empty() ? field : field + ": " + inside, with_names(pattern, as_it_is),
                 std::move(found)),
      field_(std::move(field)),
      inside_(std::move(inside)),
      pattern_(std::move(pattern)) {}

FieldError::FieldError(std::string field, std::string expected, std::string found)
    : FieldError(std::move(field), "", std::move(expected), std::move(found)) {}

FieldError::FieldError(std::string field, const InputError& inside)
    : FieldError(std::move(field), inside.where(), inside.expected(), inside.found()) {}

std::string FieldError::line_with(const NameOf& name_of) const {
  const std::string name = name_of(field_);
  return InputError(inside_.empty() ? name : name + ": " + inside_, with_names(pattern_, name_of),
                    found())
      .what();
}

std::string FieldError::packed() const {
  return field_ + kSeparator + inside_ + kSeparator + pattern_ + kSeparator + found();
}

FieldError FieldError::unpacked(const std::string& bytes) {
  std::array<std::string, 4> parts;
  std::size_t begin = 0;
  for (std::string& part : parts) {
    const std::size_t end = std::min(bytes.find(kSeparator, begin), bytes.size());
    part = bytes.substr(begin, end - begin);
    begin = std::min(end + 1, bytes.size());
  }
  return {parts[0], parts[1], parts[2], parts[3]};
}

void require(bool good, const char* field, std::string_view expected, double found) {
  if (!good) throw FieldError(field, std::string(expected), in_digits(found));
}

void require_range(const char* field, double value, double least, double most) {
  require(value >= least && value <= most, field, range_text(least, most), value);
}

}  // namespace roadplane
