#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "command.hpp"
#include "manual.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane::app {
namespace {

/// `text` with a backslash before each of these characters.
std::string escaped(const std::string& text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

/// Inside single quotes, where a quote ends, is written and begins again.
std::string in_shell_quotes(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return "'" + result + "'";
}

std::string command_names(std::span<const CommandRow> table, const char* between) {
  std::string names;
  for (const CommandRow& command : table.subspan(1)) {
    names += (names.empty() ? "" : between) + command.name;
  }
  return names;
}

/// Words with a blank between them; a colon would end them in zsh.
std::string joined(const std::vector<std::string>& words, std::string_view special = "") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + escaped(word, special);
  return text;
}

std::string bash_completion(std::span<const CommandRow> table) {
  std::string words;
  std::string listed;  // behind these come words
  std::string valued;  // behind these comes a value: a file, or what nobody can guess
  for (const CommandRow& command : table) {
    std::string names = &command == &table.front() ? command_names(table, " ") : "";
    for (const OptionRow& option : command.options) {
      if (!option.words.empty()) {
        listed += fmt::format("    '{} {}') values=\"{}\" ;;\n", command.name,
                              option.positional() ? "-" : option.name, joined(option.words));
      }
      if (option.positional()) continue;
      names += (names.empty() ? "" : " ") + option.name;
      if (!option.value.empty() && option.words.empty()) {
        valued += fmt::format("{}'{} {}'", valued.empty() ? "" : "|", command.name, option.name);
      }
    }
    words += fmt::format("    {}) words=\"{}\" ;;\n", command.name, names);
  }
  return fmt::format(
      R"(# bash completion of roadplane, made by: roadplane completion bash
_roadplane() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  local command=roadplane words= values= given= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case ${{COMP_WORDS[i]}} in {}) command=${{COMP_WORDS[i]}}; break ;; esac
  done
  case "$command $before" in {}) return ;; esac
  [[ $before == --* || $word == -* ]] || before=-
  case "$command $before" in
{}  esac
  if [[ -n $values ]]; then
    [[ $word == *,* ]] && given=${{word%,*}},
    mapfile -t COMPREPLY < <(compgen -P "$given" -W "$values" -- "${{word##*,}}")
    return
  fi
  case $command in
{}  esac
  if [[ $command == roadplane || $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  fi
}}
complete -o default -F _roadplane roadplane
)",
      command_names(table, "|"), valued, listed, words);
}

std::string zsh_option(const OptionRow& option) {
  std::string text = option.name + (option.value.empty() ? "" : "=") + "[" +
                     escaped(option.description, "[]\\") + "]";
  if (!option.value.empty()) {
    const std::string what = !option.words.empty() ? "(" + joined(option.words, ":\\") + ")"
                             : option.takes_file() ? "_files"
                                                   : "";
    text += fmt::format(":{}:{}", escaped(option.value, ":"), what);
  }
  return in_shell_quotes(text);
}

std::string zsh_completion(std::span<const CommandRow> table) {
  std::string commands;
  std::string cases;
  for (const CommandRow& command : table.subspan(1)) {
    commands += "    " + in_shell_quotes(command.name + ":" + command.description) + "\n";
    const auto positional = std::find_if(
        command.options.begin(), command.options.end(),
        [](const OptionRow& option) { return option.positional() && !option.words.empty(); });
    cases += fmt::format("    {})\n      _arguments ", command.name);
    cases += positional == command.options.end()
                 ? "'*:file:_files'"
                 : fmt::format("'1:{}:({})'", positional->name, joined(positional->words, ":\\"));
    for (const OptionRow& option : command.options) {
      if (!option.positional()) cases += " \\\n        " + zsh_option(option);
    }
    cases += " ;;\n";
  }
  return fmt::format(
      R"(#compdef roadplane
# zsh completion of roadplane, made by: roadplane completion zsh
_roadplane() {{
  local -a commands
  commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
{}  esac
}}
_roadplane "$@"
)",
      commands, cases);
}

std::string fish_completion(std::span<const CommandRow> table) {
  const auto quoted = [](const std::string& text) { return "'" + escaped(text, "\\'") + "'"; };
  std::string text = "# fish completion of roadplane, made by: roadplane completion fish\n";
  for (const CommandRow& command : table.subspan(1)) {
    text += fmt::format("complete -c roadplane -f -n __fish_use_subcommand -a {} -d {}\n",
                        command.name, quoted(command.description));
    for (const OptionRow& option : command.options) {
      if (option.positional()) {
        if (option.words.empty()) continue;
        text += fmt::format("complete -c roadplane -f -n '__fish_seen_subcommand_from {}' -a {}\n",
                            command.name, quoted(joined(option.words)));
        continue;
      }
      const std::string takes = option.value.empty()    ? ""
                                : !option.words.empty() ? " -x -a " + quoted(joined(option.words))
                                : option.takes_file()   ? " -r -F"
                                                        : " -x";
      text +=
          fmt::format("complete -c roadplane -n '__fish_seen_subcommand_from {}' -l {}{} -d {}\n",
                      command.name, option.name.substr(2), takes, quoted(option.description));
    }
  }
  return text;
}

}  // namespace

std::string completion_script(std::span<const CommandRow> table, const std::string& shell) {
  if (shell == "bash") return bash_completion(table);
  if (shell == "zsh") return zsh_completion(table);
  if (shell == "fish") return fish_completion(table);
  throw FieldError("shell", "bash, zsh or fish", in_quotes(shell));
}

Run add_completion(CLI::App& app) {
  app.footer("Example:\n  source <(roadplane completion bash)");
  auto shell = std::make_shared<std::string>();
  app.add_option("shell", *shell, "bash, zsh or fish")->required()->type_name("SHELL");
  return [&app, shell](Ranks&) {
    fmt::print("{}", completion_script(option_table(*app.get_parent()), *shell));
    return kAllGood;
  };
}

}  // namespace roadplane::app
