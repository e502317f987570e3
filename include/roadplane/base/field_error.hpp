#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "roadplane/base/input_error.hpp"

namespace roadplane {

/// A bad value of a field of an options struct or of a configuration. Who checks it knows the
/// field's name ("prior.min_height_m"); who knows what the user calls it makes the line with
/// line_with().
class FieldError : public InputError {
 public:
  /// `expected` may name other fields in braces: "less than {prior.max_height_m} (4)".
  FieldError(std::string field, std::string expected, std::string found);
  /// What is wrong inside the value, such as in a file that it names.
  FieldError(std::string field, const InputError& inside);

  const std::string& field() const { return field_; }
  /// The line with every field as `name_of` calls it.
  using NameOf = std::function<std::string(const std::string& field)>;
  std::string line_with(const NameOf& name_of) const;

  /// As bytes that another process makes the same error from.
  std::string packed() const;
  static FieldError unpacked(const std::string& bytes);

 private:
  FieldError(std::string field, std::string inside, std::string pattern, std::string found);

  std::string field_;
  std::string inside_;   ///< where in the value; empty for the value itself
  std::string pattern_;  ///< what is expected, other fields in braces
};

/// What `make` gives; what it has to say about its input is about `field`.
template <class Make>
auto in_field(const std::string& field, Make&& make) {
  try {
    return make();
  } catch (const FieldError& error) {
    if (error.field() == field) throw;
    throw FieldError(field, error);
  } catch (const InputError& error) {
    throw FieldError(field, error);
  }
}

/// What `make` gives for a value that is not auto, which would have been as good.
template <class Make>
auto besides_auto(Make&& make) {
  try {
    return make();
  } catch (const FieldError& error) {
    throw FieldError(error.field(), "auto, " + error.expected(), error.found());
  }
}

/// Throws FieldError unless the value of the field is good.
void require(bool good, const char* field, std::string_view expected, double found);
/// The same for a value from `least` to `most`; NaN is in no range.
void require_range(const char* field, double value, double least, double most);

}  // namespace roadplane
