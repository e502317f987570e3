#include "command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <vector>

namespace roadplane::app {
namespace {

/// As bash and zsh read it: in one line, whatever is in it.
std::string quoted_with_escapes(const std::string& argument) {
  std::string result = "$'";
  for (const char c : argument) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 0x7F) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += (c == '\'' || c == '\\' ? "\\" : "") + std::string(1, c);
    }
  }
  return result + "'";
}

std::string quoted(const std::string& argument) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!argument.empty() && argument.find_first_not_of(kPlain) == std::string::npos) return argument;
  const auto is_control = [](unsigned char c) { return c < ' ' || c == 0x7F; };
  if (std::any_of(argument.begin(), argument.end(), is_control)) {
    return quoted_with_escapes(argument);
  }
  std::string result = "'";
  for (const char c : argument) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

}  // namespace

std::string shell_line(std::span<const std::string> arguments) {
  std::string line;
  for (const std::string& argument : arguments)
    line += (line.empty() ? "" : " ") + quoted(argument);
  return line;
}

std::string command_line() {
  std::ifstream file("/proc/self/cmdline");
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(file, argument, '\0');) arguments.push_back(argument);
  return shell_line(arguments);
}

}  // namespace roadplane::app
