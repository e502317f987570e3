#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace roadplane {

/// What an option names outside a run's folder. A copy of it in the folder, inputs/KEY, makes the
/// run independent of the original; the run's configuration names that copy.
struct RunInput {
  std::string key;                           ///< the option's: "topology"
  std::vector<std::filesystem::path> files;  ///< all that the run uses of it
  bool folder = false;                       ///< the option names the folder that they are in
};

/// The file of an option; nothing where the value does not name one.
std::optional<RunInput> input_file(const std::string& key, const std::string& value);

/// Copies the inputs into the run's folder; the configuration with the copies' names.
nlohmann::json copy_inputs(const std::filesystem::path& run, std::span<const RunInput> inputs,
                           nlohmann::json config);
/// The same for a run that has its copies. Throws InputError if one of them is not like the input.
nlohmann::json match_inputs(const std::filesystem::path& run, std::span<const RunInput> inputs,
                            nlohmann::json config);
/// Copies by the paths that they have from here, in place of their names in the run's folder.
nlohmann::json locate_inputs(const std::filesystem::path& run, nlohmann::json config);

}  // namespace roadplane
