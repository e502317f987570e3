#include "config_file.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "roadplane/base/input_error.hpp"
#include "roadplane/base/text.hpp"
#include "roadplane/base/words.hpp"
#include "roadplane/json/read_json.hpp"
#include "roadplane/results/run_folder.hpp"

namespace roadplane::app {
namespace {

using nlohmann::json;

/// The value of an option as it was typed.
std::optional<std::string> typed(const std::vector<std::string>& arguments,
                                 const std::string& option) {
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (arguments[k] == option && k + 1 < arguments.size()) return arguments[k + 1];
    if (arguments[k].starts_with(option + "=")) return arguments[k].substr(option.size() + 1);
  }
  return std::nullopt;
}

/// The file that --config names, or that of the run to resume: its options are in its folder.
std::optional<std::string> config_path(const std::vector<std::string>& arguments) {
  if (auto file = typed(arguments, "--config")) return file;
  const bool resumes = std::find(arguments.begin(), arguments.end(), "--resume") != arguments.end();
  const auto out = typed(arguments, "--out");
  if (!resumes || !out) return std::nullopt;
  const std::filesystem::path file = std::filesystem::path(*out) / "config.json";
  std::error_code ignored;
  return std::filesystem::exists(file, ignored) ? std::optional(file.string()) : std::nullopt;
}

/// What an option is given for the value, several times for a list of paths.
std::vector<std::string> as_arguments(const std::string& key, const json& value,
                                      const std::string& file, const CLI::App& command) {
  if (command.get_option_no_throw("--" + key) == nullptr && key != "path") {
    throw InputError(file, "options of " + in_quotes("roadplane " + command.get_name()),
                     in_quotes(key));
  }
  if (key == "path" && value.is_array()) {
    std::vector<std::string> all;
    for (const json& each : value) {
      const auto one = as_arguments(key, each, file, command);
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  }
  const bool scalar = value.is_string() || value.is_number() || value.is_boolean();
  if (!scalar) throw InputError(file + ": " + key, "a text, number or true/false", shown(value));
  const std::string text =
      value.is_string() ? name_of_utf8(value.get<std::string>()) : value.dump();
  return {(key == "path" ? kPathFromConfig : "--" + key) + "=" + text};
}

}  // namespace

std::vector<std::string> with_config_file(const std::vector<std::string>& arguments,
                                          const CLI::App& app) {
  const auto file = config_path(arguments);
  if (!file) return arguments;
  const auto commands = app.get_subcommands(
      [&](const CLI::App* command) { return command->check_name(arguments.front()); });
  if (commands.empty()) return arguments;
  constexpr std::size_t kMostBytes = std::size_t{1} << 20;
  constexpr const char* kExpected = "a JSON object of options";
  json config = read_json(*file, kMostBytes, kExpected);
  if (!config.is_object()) throw InputError(*file, kExpected, config.type_name());
  if (config.erase(kSchemaKey) > 0) {  // a run's own configuration
    config = locate_inputs(std::filesystem::path(*file).parent_path(), config);
  }
  std::vector<std::string> result{arguments.front()};
  for (const auto& [key, value] : config.items()) {
    const bool empty = value.is_string() && value.get<std::string>().empty();
    if (empty) continue;
    const auto some = as_arguments(key, value, *file, *commands.front());
    result.insert(result.end(), some.begin(), some.end());
  }
  result.insert(result.end(), arguments.begin() + 1, arguments.end());
  return result;
}

}  // namespace roadplane::app
