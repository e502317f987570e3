#pragma once

#include <string>

namespace roadplane::app {

/// [MB] the most memory that this process has held so far; "?" where the system does not say.
std::string peak_memory_mb();

}  // namespace roadplane::app
