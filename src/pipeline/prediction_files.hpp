#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "roadplane/kitti/frame.hpp"

namespace roadplane {

/// The label files below a folder, and which frames they are of: that of their name in the sequence
/// of their folder. Folders called sequences, predictions or labels do not name one: a run's
/// folder, SemanticKITTI's layout, a folder of sequences and a folder of files are all understood.
class PredictionFiles {
 public:
  /// Throws InputError if the folder cannot be read or holds no label file.
  /// `known` are all frames of the data set.
  PredictionFiles(const std::filesystem::path& folder, std::span<const kitti::Frame> known);

  std::optional<std::filesystem::path> of(const kitti::Frame& frame) const;
  bool empty() const { return of_frame_.empty(); }  ///< no file is of a known frame
  /// A line for every file that is of no known frame, or that a frame has two of.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  std::map<std::string, std::filesystem::path> of_frame_;  ///< by the frame's name
  std::vector<std::string> problems_;
};

}  // namespace roadplane
