#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace roadplane {

/// Bad input from outside (a file, an option, a configuration key), as one line:
/// "WHERE: expected EXPECTED, found FOUND".
class InputError : public std::runtime_error {
 public:
  InputError(const std::string& where, const std::string& expected, const std::string& found)
      : std::runtime_error(where + ": expected " + expected + ", found " + found) {}
  /// A line that is complete.
  explicit InputError(const std::string& line) : std::runtime_error(line) {}
  /// Inside a file: "WHERE: " in front of what the part's own check said.
  InputError(const std::string& where, const InputError& inner)
      : std::runtime_error(where + ": " + inner.what()) {}

  /// Whether a command-line option is at fault ("--step: ..."), not a file.
  bool is_about_option() const { return std::string_view(what()).starts_with("--"); }
};

}  // namespace roadplane
