#pragma once

#include <string>
#include <vector>

#include "roadplane/kitti/dataset.hpp"

namespace roadplane::kitti {

/// Which data the user means and how it is to be understood, in the words of the command line and
/// of a configuration file.
struct DataConfig {
  std::vector<std::string> paths;  ///< folders, scans and patterns such as "*.pcd"
  std::string sequence;            ///< one sequence of a dataset of several; empty is all
  std::string topic;               ///< of a recording; empty is the only one with clouds
  std::string frames;              ///< "0:100", "1,45,328", ...; empty is all
  std::string format = "auto";     ///< of raw floats; auto is what the file's name says
  std::string calib;           ///< a calibration file or folder; empty is where the layout has it
  std::string transform;       ///< from the file's frame to the sensor's; empty is none
  double sensor_height_m = 0;  ///< [m] of a sensor above z = 0; 0 is a sensor at z = 0
  std::string sensor_origin;   ///< "x,y,z" of the sensor in the file's frame [m]; empty is 0,0,0

  /// Throws FieldError naming a bad field; no data is looked at.
  void validate() const;
  /// The same with absolute paths.
  DataConfig resolved() const;
};

/// All frames of the paths, whatever `frames` says. Throws InputError.
Dataset open_data(const DataConfig& config);
/// Those of them that `frames` names.
std::vector<Frame> select_frames(const DataConfig& config, const Dataset& dataset);

}  // namespace roadplane::kitti
