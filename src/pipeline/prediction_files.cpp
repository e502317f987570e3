#include "prediction_files.hpp"

#include <algorithm>
#include <set>
#include <system_error>

#include "roadplane/base/input_error.hpp"
#include "roadplane/base/text.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;

/// Sorted, so that it does not depend on the file system what is said of them.
std::vector<fs::path> label_files_below(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw InputError(folder.string(), "a run's folder or a folder of label files",
                     fs::exists(folder, error) ? "a file" : "nothing of that name");
  }
  std::vector<fs::path> files;
  // What lies in a folder that cannot be read is missed frame by frame.
  constexpr auto kEverything = fs::directory_options::follow_directory_symlink |
                               fs::directory_options::skip_permission_denied;
  fs::recursive_directory_iterator entries(folder, kEverything, error);
  for (; !error && entries != fs::recursive_directory_iterator(); entries.increment(error)) {
    if (entries->path().extension() == ".label") files.push_back(entries->path());
  }
  if (error) throw InputError(folder.string(), "folders that can be read", error.message());
  if (files.empty()) throw InputError(folder.string(), "label files (.label) below it", "none");
  std::sort(files.begin(), files.end());
  return files;
}

/// "04" of sequences/04/predictions/000056.label; empty where no folder names a sequence.
std::string sequence_of(const fs::path& relative) {
  std::string sequence;
  for (const fs::path& part : relative.parent_path()) {
    if (part == "sequences" || part == "predictions" || part == "labels") continue;
    if (!sequence.empty()) sequence += '/';
    sequence += part.string();
  }
  return sequence;
}

}  // namespace

PredictionFiles::PredictionFiles(const fs::path& folder, std::span<const kitti::Frame> known) {
  std::set<std::string> names;
  std::multimap<std::string, std::string> names_of_stem;
  for (const kitti::Frame& frame : known) {
    names.insert(frame.name());
    names_of_stem.emplace(frame.stem(), frame.name());
  }
  for (const fs::path& file : label_files_below(folder)) {
    const std::string sequence = sequence_of(file.lexically_relative(folder));
    const std::string stem = file.stem().string();
    std::string name = utf8_of_name(sequence + "/" + stem);
    const auto say = [&](const std::string& expected, const std::string& found) {
      problems_.emplace_back(InputError(file.string(), expected, found).what());
    };
    if (sequence.empty()) {
      const auto same = names_of_stem.equal_range(stem);
      if (std::distance(same.first, same.second) > 1) {
        say("a folder that names the sequence", "frames " + stem + " in several sequences");
        continue;
      }
      if (same.first != same.second) name = same.first->second;
    }
    if (!names.contains(name)) {
      say("a frame of the truth", "none called " + (sequence.empty() ? stem : name));
    } else if (!of_frame_.emplace(name, file).second) {
      say("one prediction of frame " + name, "also " + of_frame_[name].string());
    }
  }
}

std::optional<fs::path> PredictionFiles::of(const kitti::Frame& frame) const {
  const auto found = of_frame_.find(frame.name());
  return found == of_frame_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace roadplane
