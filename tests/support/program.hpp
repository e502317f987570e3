#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "roadplane/base/file.hpp"

namespace roadplane::test {

struct Outcome {
  int code = 0;
  std::string text;  ///< both streams
};

/// Runs a shell command.
inline Outcome run_command(const std::string& command) {
  Outcome outcome;
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer{};
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    outcome.text.append(buffer.data(), got);
  }
  outcome.code = WEXITSTATUS(::pclose(pipe));
  return outcome;
}

inline std::string text_of(const std::filesystem::path& path) {
  return read_text_file(path, std::size_t{1} << 26);
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// All files below a run folder; of the JSON ones the times are taken out, tables with times and
/// how the program was called left out.
inline std::map<std::string, std::string> contents(const std::filesystem::path& run) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(run)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = std::filesystem::relative(entry.path(), run).string();
    const std::string extension = entry.path().extension();
    if (extension == ".csv" || extension == ".md" || extension == ".tex") continue;
    if (name == "command.txt") continue;
    std::string text = text_of(entry.path());
    if (name == "summary.json") {
      auto summary = nlohmann::json::parse(text);
      summary["aggregate"]["median"].erase("ms");
      for (auto& frame : summary["frames"]) frame.erase("ms");
      text = summary.dump();
    } else if (name == "frames.jsonl") {
      std::istringstream lines(text);
      std::multiset<std::string> sorted;  // frames finish in any order
      for (std::string line; std::getline(lines, line);) {
        auto frame = nlohmann::json::parse(line);
        frame.erase("ms");
        sorted.insert(frame.dump());
      }
      text.clear();
      for (const std::string& line : sorted) text += line + "\n";
    }
    files[name] = text;
  }
  return files;
}

}  // namespace roadplane::test
