#include "roadplane/kitti/dataset.hpp"

#include <algorithm>
#include <iterator>

#include "folder.hpp"
#include "layouts.hpp"
#include "nuscenes.hpp"
#include "recorded_frames.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/base/nearest_word.hpp"
#include "roadplane/base/words.hpp"
#include "scan_names.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExpected = "a data set, a recording or a scan";

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

/// What to say of a folder that no layout fits: what is in it, or what is known one level below.
std::string describe_unknown(const fs::path& folder, const std::vector<fs::path>& known_below) {
  if (is_file(folder / "frames.jsonl")) return "the folder of a run, not of its data";
  if (known_below.empty()) return describe_entries(folder) + known_layouts();
  std::string text = "several data sets in it:";
  for (const fs::path& below : known_below) text += " " + below.filename().string();
  return text;
}

/// Data sets of other layouts beside the sequences that a folder was taken for.
std::vector<std::string> left_out_of(const fs::path& root, const Recognised& found) {
  std::vector<std::string> remarks;
  if (found.sequences.front().parent_path() != root) return remarks;
  for (const fs::path& inside : folders_in(root)) {
    const auto& taken = found.sequences;
    if (std::find(taken.begin(), taken.end(), inside) != taken.end() || !recognise(inside))
      continue;
    remarks.push_back(inside.string() + " is left out: a data set of its own");
  }
  return remarks;
}

/// " (did you mean X?)" if a name beside it is nearly the same.
std::string did_you_mean(const fs::path& missing) {
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator entries(missing.parent_path(), error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    names.push_back(entries->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string_view meant = nearest_word(missing.filename().string(), known);
  return meant.empty() ? "" : " (did you mean " + std::string(meant) + "?)";
}

/// The tables of a run would pass for text scans.
bool is_run(const fs::path& folder) {
  return is_file(folder / "config.json") && is_file(folder / "frames.jsonl");
}

/// A bag of ROS 2 is a folder; bags of ROS 1 lie beside each other in one.
Dataset open_recordings(const fs::path& path, const std::vector<fs::path>& recordings,
                        const std::optional<std::string>& sequence,
                        const std::optional<std::string>& topic) {
  Dataset dataset{Layout::recording, path, path.filename().string(), {}, {}};
  Recognised wanted{Layout::recording, recordings};
  if (sequence) keep_sequence(wanted, *sequence, path);
  for (const fs::path& each : wanted.sequences) {
    Frames one = recorded_frames(each, topic);
    std::move(one.frames.begin(), one.frames.end(), std::back_inserter(dataset.frames));
    std::move(one.remarks.begin(), one.remarks.end(), std::back_inserter(dataset.remarks));
  }
  return dataset;
}

Dataset open_folder(const fs::path& folder, const std::optional<std::string>& sequence,
                    const std::optional<std::string>& topic) {
  if (is_run(folder)) {
    throw InputError(folder.string(), kExpected,
                     "the results of a run; its recording is the path in its config.json");
  }
  const fs::path root = enclosing_sequence(folder);
  if (is_recording(root)) return open_recordings(root, {root}, sequence, topic);
  std::optional<Recognised> found = recognise(root);
  if (!found) {
    const std::vector<fs::path> recordings = recordings_in(root);
    if (!recordings.empty()) return open_recordings(root, recordings, sequence, topic);
    std::vector<fs::path> below = folders_in(root);
    std::erase_if(below, [](const fs::path& inside) {
      return is_run(inside) ||
             (!recognise(inside) && !is_recording(inside) && recordings_in(inside).empty());
    });
    if (below.size() != 1) {
      throw InputError(folder.string(), kExpected, describe_unknown(folder, below));
    }
    Dataset inside = open_folder(below.front(), sequence, topic);
    inside.remarks.insert(inside.remarks.begin(), "the data is in " + below.front().string());
    return inside;
  }
  Dataset dataset{found->layout, root, root.filename().string(), {}, left_out_of(root, *found)};
  if (sequence) keep_sequence(*found, *sequence, folder);
  for (const fs::path& each : found->sequences) {
    Frames one = frames_of(found->layout, each);
    std::move(one.frames.begin(), one.frames.end(), std::back_inserter(dataset.frames));
    std::move(one.remarks.begin(), one.remarks.end(), std::back_inserter(dataset.remarks));
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
  const bool whole = sequence != folder || (found && found->layout == Layout::road);
  const bool inside = whole && found && found->sequences == std::vector{sequence};
  return inside ? *found : Recognised{Layout::scans, {folder}};
}

Dataset open_file(const fs::path& file, const std::optional<std::string>& sequence) {
  const std::string extension = lower_extension(file);
  const bool known = extension == ".mat" || has_scan_extension(file);
  if (!known) throw InputError(file.string(), kExpected, unknown_file(file));
  if (is_lidarseg(file)) throw InputError(file.string(), kExpected, "labels of nuScenes");
  const Recognised home = home_of(file, extension);
  if (sequence) {
    Recognised only = home;
    keep_sequence(only, *sequence, file);
  }
  for (Frame& frame : frames_of(home.layout, home.sequences.front()).frames) {
    if (frame.stem() != stem_of(file)) continue;
    frame.scan = file;  // of 0001.bin and 0001.pcd, the one that was asked for
    return {Layout::single_scan, file, file.filename().string(), {std::move(frame)}, {}};
  }
  // Its folder lists other kinds of files: it is taken alone.
  const Frame frame{.sequence = file.parent_path().filename().string(),
                    .number = last_number(stem_of(file)).value_or(0),
                    .scan = file};
  return {Layout::single_scan, file, file.filename().string(), {frame}, {}};
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
    case Layout::road:
      return "road benchmark";
    case Layout::annotations:
      return "annotations";
    case Layout::nuscenes:
      return "nuscenes";
    case Layout::scans:
      return "scans";
    case Layout::recording:
      return "recording";
    case Layout::single_scan:
      return "single scan";
    case Layout::several:
      return "several";
  }
  return "?";
}

Dataset open_dataset(const fs::path& path, const std::optional<std::string>& sequence,
                     const std::optional<std::string>& topic) {
  const fs::path normal = normalised(path);
  if (is_folder(normal)) return open_folder(normal, sequence, topic);
  if (is_recording(normal)) return open_recordings(normal, {normal}, sequence, topic);
  if (is_file(normal)) return open_file(normal, sequence);
  std::error_code error;
  const bool exists = fs::exists(normal, error);
  throw InputError(path.string(), kExpected,
                   exists  ? "neither a file nor a folder"
                   : error ? error.message()
                           : "no such file or folder" + did_you_mean(normal));
}

}  // namespace roadplane::kitti
