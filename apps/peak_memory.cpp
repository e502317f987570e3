#include "peak_memory.hpp"

#include <fmt/format.h>

#include <fstream>

namespace roadplane::app {

std::string peak_memory_mb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return fmt::format("{:.0f}", std::stod(line.substr(6)) / 1024);
  }
  return "?";
}

}  // namespace roadplane::app
