#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "roadplane/kitti/frame.hpp"

namespace roadplane::kitti {

/// The layouts that open_dataset recognises.
enum class Layout {
  raw,       ///< KITTI raw: a drive, a date folder or a folder of dates
  odometry,  ///< odometry benchmark and SemanticKITTI: a sequence or the root
  object,    ///< object benchmark: a split or the root
  road,      ///< road benchmark: a split, the root, or a folder of scans with what belongs to them
  annotations,  ///< DPCP annotations: a folder of *_data.mat with their pictures
  nuscenes,     ///< nuScenes: a folder with samples/LIDAR_TOP
  scans,        ///< a folder of files that read_scan knows
  recording,    ///< a bag of ROS 1 or ROS 2, or a folder of some
  single_scan,  ///< one file; what lies beside it is found where its folder has a known layout
  several,      ///< several of these
};

std::string_view to_string(Layout layout);

struct Dataset {
  Layout layout = Layout::scans;
  std::filesystem::path root;        ///< absolute
  std::string name;                  ///< the last part of the root
  std::vector<Frame> frames;         ///< sorted by sequence, then number; numbers may have holes
  std::vector<std::string> remarks;  ///< what was left out or not found, one line each
};

/// Opens whatever KITTI folder or scan `path` is. A folder of several sequences gives the frames
/// of all of them, or of the one that `sequence` names: an odometry sequence ("4" or "04"), a raw
/// drive ("5", "0005" or "2011_09_26_drive_0005_sync"), a split ("training"). Throws InputError;
/// where no layout fits, its message lists the known ones and what was found. A folder that holds
/// nothing but one such folder is entered. Of a recording `topic` is taken, or the only one that
/// has clouds; FieldError names those there are.
Dataset open_dataset(const std::filesystem::path& path,
                     const std::optional<std::string>& sequence = std::nullopt,
                     const std::optional<std::string>& topic = std::nullopt);

}  // namespace roadplane::kitti
