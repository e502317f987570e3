#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "roadplane/base/input_error.hpp"

namespace roadplane::test {

/// The message of the InputError that `action` throws; empty, and a failure, if it throws none.
template <class Action>
std::string input_error_of(Action&& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "expected an InputError, found " << error.what();
    return {};
  }
  ADD_FAILURE() << "expected an InputError, found none";
  return {};
}

/// The same for a message that must be one line naming `where`, what was expected and `found`.
template <class Action>
void expect_one_line(Action&& action, const std::string& where, const std::string& found) {
  const std::string message = input_error_of(action);
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 0) << message;
  EXPECT_EQ(message.rfind(where, 0), 0U) << message;
  EXPECT_NE(message.find(": expected "), std::string::npos) << message;
  EXPECT_NE(message.find(", found "), std::string::npos) << message;
  EXPECT_NE(message.find(found, message.find(", found ")), std::string::npos) << message;
}

}  // namespace roadplane::test
