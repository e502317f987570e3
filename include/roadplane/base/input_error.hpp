#pragma once

#include <new>
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

/// What an exception says, in the user's words.
inline std::string reason_of(const std::exception& error) {
  const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
                      dynamic_cast<const std::length_error*>(&error) != nullptr;
  return memory ? "expected as much memory as the data take, found too little" : error.what();
}

}  // namespace roadplane
