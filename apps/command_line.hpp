#pragma once

#include <span>
#include <string>

namespace roadplane::app {

/// Arguments as one line that a shell reads as the same arguments again.
std::string shell_line(std::span<const std::string> arguments);

/// How this process was called; empty where the system does not tell.
std::string command_line();

}  // namespace roadplane::app
