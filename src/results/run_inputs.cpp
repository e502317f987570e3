#include "roadplane/results/run_inputs.hpp"

#include <nlohmann/json.hpp>
#include <system_error>

#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/base/text.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kMostBytes = std::size_t{64} << 20;

fs::path folder_of(const std::string& key) { return fs::path("inputs") / key; }

fs::path name_of(const RunInput& input) {
  const fs::path folder = folder_of(input.key);
  return input.folder ? folder : folder / input.files.front().filename();
}

}  // namespace

std::optional<RunInput> input_file(const std::string& key, const std::string& value) {
  std::error_code ignored;
  if (!fs::is_regular_file(value, ignored)) return std::nullopt;
  return RunInput{key, {value}};
}

json copy_inputs(const fs::path& run, std::span<const RunInput> inputs, json config) {
  for (const RunInput& input : inputs) {
    const fs::path folder = run / folder_of(input.key);
    make_folders(folder);
    for (const fs::path& file : input.files) {
      write_file_atomically(folder / file.filename(), read_text_file(file, kMostBytes), Flush::now);
    }
    config[input.key] = utf8_of_name(name_of(input).string());
  }
  return config;
}

json match_inputs(const fs::path& run, std::span<const RunInput> inputs, json config) {
  for (const RunInput& input : inputs) {
    for (const fs::path& file : input.files) {
      const fs::path copy = run / folder_of(input.key) / file.filename();
      std::error_code ignored;
      if (!fs::exists(copy, ignored)) continue;  // the names will differ
      if (read_text_file(file, kMostBytes) != read_text_file(copy, kMostBytes)) {
        throw InputError(file.string(), "the same as in the run to resume, " + copy.string(),
                         "another content");
      }
    }
    config[input.key] = utf8_of_name(name_of(input).string());
  }
  return config;
}

json locate_inputs(const fs::path& run, json config) {
  for (auto& [key, value] : config.items()) {
    const std::string name = value.is_string() ? value.get<std::string>() : "";
    const std::string folder = folder_of(key).string();
    if (name == folder || name.starts_with(folder + "/")) {
      value = utf8_of_name((run / name_of_utf8(name)).string());
    }
  }
  return config;
}

}  // namespace roadplane
