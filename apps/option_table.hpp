#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace roadplane::app {

/// An option as the help has it.
struct OptionRow {
  std::string name;                ///< "--agents", or "PATH" for a positional one
  std::string value;               ///< what it takes, "INT"; empty for a flag
  std::string description;         ///< one line
  std::string standard;            ///< the default; may be empty
  std::vector<std::string> words;  ///< that it may take; see option_values()

  bool positional() const { return !name.starts_with("-"); }
  bool takes_file() const;
};

struct CommandRow {
  std::string name;
  std::string description;
  std::string footer;  ///< examples and the like, as printed
  std::vector<OptionRow> options;
};

/// The program itself first, then its commands; what the help hides is left out. The manual and the
/// shells' completions are made of it.
std::vector<CommandRow> option_table(const CLI::App& program);

}  // namespace roadplane::app
