#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace roadplane::app {

/// The option under which a configuration's path reaches a command: a path that is typed wins.
inline constexpr const char* kPathFromConfig = "--path-from-config";

/// If the arguments hold `--config FILE.json`, or `--resume --out DIR` with a run in DIR, puts the
/// file's entries right behind the sub-command, as if they had been typed first: {"agents": 8}
/// becomes --agents=8. What is typed comes later and wins. Throws InputError for a file that is not
/// a JSON object of the sub-command's options.
std::vector<std::string> with_config_file(const std::vector<std::string>& arguments,
                                          const CLI::App& app);

}  // namespace roadplane::app
