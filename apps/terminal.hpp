#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "roadplane/results/tables.hpp"

namespace roadplane::app {

/// What the user wants of a command's text.
struct TextWish {
  bool wide = false;
  std::string color = "auto";

  /// Throws FieldError.
  void validate() const;
  /// For standard output as it is now: colours for a terminal that NO_COLOR does not forbid them,
  /// lines as wide as the terminal, or of 80 characters elsewhere.
  TextLayout layout() const;
};

/// --wide and --color.
void add_text_options(CLI::App& app, TextWish& wish);

/// A file's name as one word of a shell's line, to be copied from a message: in quotes where it
/// has to be, and without what would command a terminal.
std::string shell_word(const std::string& name);

/// The text in lines of at most `width` characters, broken at blanks; line breaks of its own stay.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent = 0);

/// Prose of a help text in lines of 80 characters; what is indented, examples, is broken only where
/// it is too long: before a remark at its end, else with a backslash.
std::string help_text(const std::string& text);

/// Lays out --help in 80 columns.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_usage(const CLI::Option* option) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_footer(const CLI::App* app) const override;
  std::string make_description(const CLI::App* app) const override;
};

}  // namespace roadplane::app
