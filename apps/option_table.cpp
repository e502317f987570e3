#include "option_table.hpp"

#include <algorithm>

#include "option_values.hpp"

namespace roadplane::app {
namespace {

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

OptionRow row_of(const std::string& command, const CLI::Option& option) {
  OptionRow row;
  row.name = option.get_positional() ? option.get_type_name() : "--" + option.get_lnames().front();
  if (option.get_items_expected_max() > 0 && !option.get_positional()) {
    row.value = option.get_type_name();
  }
  row.description = one_line(option.get_description());
  row.standard = option.get_default_str();
  row.words = option_values(command, row.name);
  return row;
}

CommandRow row_of(const CLI::App& command) {
  CommandRow row{command.get_name(), one_line(command.get_description()), command.get_footer(), {}};
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_group().empty()) row.options.push_back(row_of(row.name, *option));
  }
  return row;
}

}  // namespace

bool OptionRow::takes_file() const {
  const std::string& what = positional() ? name : value;
  return what.find("FILE") != std::string::npos || what.find("DIR") != std::string::npos ||
         what.find("PATH") != std::string::npos;
}

std::vector<CommandRow> option_table(const CLI::App& program) {
  std::vector<CommandRow> table{row_of(program)};
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) table.push_back(row_of(*command));
  }
  return table;
}

}  // namespace roadplane::app
