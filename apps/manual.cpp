#include "manual.hpp"

#include <fmt/format.h>

#include "command.hpp"

namespace roadplane::app {
namespace {

/// Text that troff prints as it is: a hyphen that can be searched and copied, and no requests.
std::string plain(const std::string& text) {
  std::string result;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
    line_begins = c == '\n';
  }
  return result;
}

std::string verbatim(const std::string& text) {
  return text.empty() ? "" : fmt::format(".PP\n.nf\n{}\n.fi\n", plain(text));
}

std::string option_text(const OptionRow& option) {
  std::string head = fmt::format("\\fB{}\\fR", plain(option.name));
  if (!option.value.empty()) head += fmt::format(" \\fI{}\\fR", plain(option.value));
  std::string text = fmt::format(".TP\n{}\n{}", head, plain(option.description));
  if (!option.standard.empty()) text += fmt::format(" [{}]", plain(option.standard));
  return text + "\n";
}

std::string command_text(const CommandRow& command) {
  std::string text = fmt::format(".SH {}\n{}.\n", plain(command.name), plain(command.description));
  for (const OptionRow& option : command.options) text += option_text(option);
  return text + verbatim(command.footer);
}

}  // namespace

std::string man_page(std::span<const CommandRow> table, const std::string& version) {
  const CommandRow& program = table.front();
  std::string text =
      fmt::format(".TH ROADPLANE 1 \"\" \"roadplane {}\" \"User Commands\"\n", version);
  text += ".SH NAME\nroadplane \\- finds the road in LiDAR scans by decentralised optimisation\n";
  text += ".SH SYNOPSIS\n.B roadplane\n.I COMMAND\n[\\fIOPTIONS\\fR] [\\fIPATH\\fR ...]\n";
  text += fmt::format(".SH DESCRIPTION\n{}\n", plain(program.description));
  for (const OptionRow& option : program.options) text += option_text(option);
  text += ".SH COMMANDS\n";
  for (const CommandRow& command : table.subspan(1)) {
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", plain(command.name), plain(command.description));
  }
  text += verbatim(program.footer);
  for (const CommandRow& command : table.subspan(1)) text += command_text(command);
  return text;
}

Run add_manual(CLI::App& app) {
  app.footer("Example:\n  roadplane manual | man -l -");
  return [&app](Ranks&) {
    fmt::print("{}", man_page(option_table(*app.get_parent()), ROADPLANE_VERSION));
    return kAllGood;
  };
}

}  // namespace roadplane::app
