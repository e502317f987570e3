#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace roadplane {

/// Bad input from outside (a file, an option, a configuration key), as one line:
/// "WHERE: expected EXPECTED, found FOUND".
class InputError : public std::runtime_error {
 public:
  InputError(std::string where, std::string expected, std::string found)
      : std::runtime_error(where + ": expected " + expected + ", found " + found),
        where_(std::move(where)),
        expected_(std::move(expected)),
        found_(std::move(found)) {}
  /// Inside a file: what the check of a part of it said.
  InputError(const std::string& file, const InputError& part)
      : InputError(file + ": " + part.where(), part.expected(), part.found()) {}

  const std::string& where() const { return where_; }
  const std::string& expected() const { return expected_; }
  const std::string& found() const { return found_; }

 private:
  std::string where_;
  std::string expected_;
  std::string found_;
};

}  // namespace roadplane
