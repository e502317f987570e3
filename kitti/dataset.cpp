#include "roadplane/kitti/dataset.hpp"

#include <algorithm>
#include <iterator>

#include "folder.hpp"
#include "layouts.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExpected = "a KITTI folder or a scan";

/// Absolute and without a trailing slash, so that every folder has a name.
fs::path normalised(const fs::path& path) {
  const fs::path absolute = fs::absolute(path).lexically_normal();
  return absolute.has_filename() ? absolute : absolute.parent_path();
}

/// Whether the user's word for a sequence ("4", "04" or its whole name) means this folder.
bool is_named(const fs::path& sequence, const std::string& word) {
  const std::string name = sequence.filename().string();
  if (name == word) return true;
  const bool digits = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
  const std::optional<int> number = digits ? last_number(word) : std::nullopt;
  return number && last_number(name) == number;
}

void keep_sequence(Recognised& found, const std::string& word, const fs::path& path) {
  std::string names;
  for (const fs::path& sequence : found.sequences) {
    names += (names.empty() ? "" : ", ") + sequence.filename().string();
  }
  std::erase_if(found.sequences, [&](const fs::path& s) { return !is_named(s, word); });
  if (found.sequences.empty()) {
    throw InputError(path.string(), "one of the sequences " + names, in_quotes(word));
  }
}

Dataset open_folder(const fs::path& folder, const std::optional<std::string>& sequence) {
  const fs::path root = enclosing_sequence(folder);
  std::optional<Recognised> found = recognise(root);
  if (!found)
    throw InputError(folder.string(), kExpected, describe_entries(folder) + known_layouts());
  if (sequence) keep_sequence(*found, *sequence, folder);
  Dataset dataset{found->layout, root, root.filename().string(), {}};
  for (const fs::path& each : found->sequences) {
    std::vector<Frame> frames = frames_of(found->layout, each);
    std::move(frames.begin(), frames.end(), std::back_inserter(dataset.frames));
  }
  if (dataset.frames.empty()) {
    throw InputError(folder.string(), "scans", "none in " + found->sequences.front().string());
  }
  return dataset;
}

/// The one sequence that a scan belongs to: that of its folder's layout, if it lies where that
/// layout keeps its scans, else just the folder.
Recognised home_of(const fs::path& file, const std::string& extension) {
  const fs::path folder = file.parent_path();
  if (extension == ".mat") return {Layout::annotations, {folder}};
  const fs::path sequence = enclosing_sequence(folder);
  const std::optional<Recognised> found = recognise(sequence);
  const bool inside = sequence != folder && found && found->sequences == std::vector{sequence};
  return inside ? *found : Recognised{Layout::scans, {folder}};
}

Dataset open_file(const fs::path& file, const std::optional<std::string>& sequence) {
  const std::string extension = lower_extension(file);
  const bool known =
      extension == ".bin" || extension == ".pcd" || extension == ".ply" || extension == ".mat";
  if (!known) throw InputError(file.string(), kExpected, "another file" + known_layouts());
  const Recognised home = home_of(file, extension);
  if (sequence) {
    Recognised only = home;
    keep_sequence(only, *sequence, file);
  }
  for (Frame& frame : frames_of(home.layout, home.sequences.front())) {
    if (frame.stem() != file.stem()) continue;
    frame.scan = file;  // of 0001.bin and 0001.pcd, the one that was asked for
    return {Layout::single_scan, file, file.filename().string(), {std::move(frame)}};
  }
  throw InputError(file.string(), kExpected, "a file that its folder does not list");
}

}  // namespace

std::string_view to_string(Layout layout) {
  switch (layout) {
    case Layout::raw:
      return "raw";
    case Layout::odometry:
      return "odometry";
    case Layout::object:
      return "object";
    case Layout::annotations:
      return "annotations";
    case Layout::scans:
      return "scans";
    case Layout::single_scan:
      return "single scan";
  }
  return "?";
}

Dataset open_dataset(const fs::path& path, const std::optional<std::string>& sequence) {
  const fs::path normal = normalised(path);
  if (is_folder(normal)) return open_folder(normal, sequence);
  if (is_file(normal)) return open_file(normal, sequence);
  std::error_code error;
  const bool exists = fs::exists(normal, error);
  throw InputError(path.string(), kExpected,
                   exists  ? "neither a file nor a folder"
                   : error ? error.message()
                           : "no such file or folder");
}

}  // namespace roadplane::kitti
