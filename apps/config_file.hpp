#pragma once

#include <string>
#include <vector>

namespace roadplane::app {

/// If the arguments hold `--config FILE.json`, puts the file's entries right behind the
/// sub-command, as if they had been typed first: {"agents": 8} becomes --agents=8. What is typed
/// comes later and wins. Throws InputError for a file that is not such a JSON object.
std::vector<std::string> with_config_file(const std::vector<std::string>& arguments);

}  // namespace roadplane::app
