#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "command_line.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane::app {
namespace {

constexpr std::size_t kUsualWidth = 80;      // [characters]
constexpr std::size_t kNarrowestWidth = 40;  // [characters] less is a window on its way
constexpr std::size_t kHelpColumn = 30;      // [characters] where descriptions begin

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Of the terminal, as it says itself; COLUMNS for what is none.
std::size_t width_of_output() {
  winsize size{};
  std::size_t width = 0;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
    width = size.ws_col;
  } else if (const auto columns = parse_count(variable("COLUMNS"))) {
    width = *columns;
  }
  return width == 0 ? kUsualWidth : std::max(width, kNarrowestWidth);
}

bool colours_suit_output() {
  const std::string terminal = variable("TERM");
  return isatty(STDOUT_FILENO) != 0 && variable("NO_COLOR").empty() && !terminal.empty() &&
         terminal != "dumb";
}

/// "  command   remark", or any example, in as many lines as it takes.
std::string example(const std::string& line) {
  if (line.size() <= kUsualWidth) return line;
  constexpr const char* kMore = "      ";
  const std::size_t gap = line.rfind("   ");
  const std::size_t end = line.find_last_not_of(' ', gap);
  if (gap != std::string::npos && end != std::string::npos) {
    return example(line.substr(0, end + 1)) + "\n" + kMore + line.substr(gap + 3);
  }
  const std::size_t at = line.rfind(' ', kUsualWidth - 2);
  if (at == std::string::npos || at < line.find_first_not_of(' ')) return line;
  return line.substr(0, at) + " \\\n" + example(kMore + line.substr(at + 1));
}

/// A name and its description beside it, or below it if the name is long.
std::string entry(const std::string& name, const std::string& description) {
  std::string text = "  " + name;
  const bool beside = text.size() + 2 <= kHelpColumn;
  text +=
      beside ? std::string(kHelpColumn - text.size(), ' ') : "\n" + std::string(kHelpColumn, ' ');
  return text + wrapped(description, kUsualWidth, kHelpColumn) + "\n";
}

}  // namespace

void TextWish::validate() const {
  if (color == "auto" || color == "always" || color == "never") return;
  throw FieldError("color", "auto, always or never", in_quotes(color));
}

TextLayout TextWish::layout() const {
  validate();
  return {wide ? 0 : width_of_output(),
          color == "auto" ? colours_suit_output() : color == "always"};
}

void add_text_options(CLI::App& app, TextWish& wish) {
  app.add_flag("--wide", wish.wide, "Show all columns, however long the lines get");
  app.add_option("--color", wish.color,
                 "Colours: auto (on a terminal, unless NO_COLOR is set), always or never")
      ->capture_default_str();
}

std::string shell_word(const std::string& name) {
  const std::vector<std::string> words{name};
  return shell_line(words);
}

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!result.empty()) result += "\n" + std::string(indent, ' ');
    std::size_t column = indent;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      const bool first = column == indent;
      if (!first && column + 1 + word.size() > width) {
        result += "\n" + std::string(indent, ' ');
        column = indent;
      } else if (!first) {
        result += ' ';
        ++column;
      }
      result += word;
      column += word.size();
    }
  }
  return result;
}

std::string help_text(const std::string& text) {
  std::string result;
  std::string paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) result += wrapped(paragraph, kUsualWidth) + "\n";
    paragraph.clear();
  };
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool prose = !line.empty() && line.front() != ' ';
    if (paragraph.ends_with('.')) end_paragraph();  // a line that ends a sentence ends
    if (prose && !line.ends_with(':')) {
      paragraph += (paragraph.empty() ? "" : " ") + line;
      continue;
    }
    end_paragraph();
    result += example(line) + "\n";
  }
  end_paragraph();
  return result;
}

std::string HelpFormatter::make_footer(const CLI::App* app) const {
  return help_text(app->get_footer());
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
  return help_text(app->get_description()) + "\n";
}

HelpFormatter::HelpFormatter() { column_width(kHelpColumn); }

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  std::string description = make_option_desc(option);
  std::replace(description.begin(), description.end(), '\n', ' ');
  const std::string standard = option->get_default_str();
  if (!standard.empty()) description += " [" + standard + "]";
  std::string name = is_positional ? option->get_type_name() : make_option_name(option, false);
  std::replace(name.begin(), name.end(), ',', ' ');
  const bool takes_value = !is_positional && option->get_items_expected_max() > 0;
  if (takes_value) name += " " + option->get_type_name();
  return entry(name, description);
}

/// The name that the list of positionals has.
std::string HelpFormatter::make_option_usage(const CLI::Option* option) const {
  const bool several = option->get_items_expected_max() > 1;
  const std::string name = option->get_type_name() + (several ? "..." : "");
  return option->get_required() ? name : "[" + name + "]";
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return entry(command->get_name(), command->get_description());
}

}  // namespace roadplane::app
