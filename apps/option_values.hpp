#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace roadplane::app {

/// The words that an option may take, for completion; empty where there are none or any other text
/// will do, too many to list. A positional argument is named as in the help, "EXPERIMENT".
std::vector<std::string> option_values(std::string_view command, std::string_view option);
/// Those of the research's commands; empty for all other options.
std::vector<std::string> research_values(std::string_view option);

}  // namespace roadplane::app
