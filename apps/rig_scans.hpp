#pragma once

#include <string>
#include <vector>

#include "roadplane/kitti/frame.hpp"
#include "roadplane/pipeline/rig.hpp"

namespace roadplane::app {

/// Where the scans of several LiDARs are, in the words of the command line.
struct RigPaths {
  std::string path;                 ///< a folder or a recording; may be empty with `lidars`
  std::vector<std::string> lidars;  ///< NAME=FILES@TRANSFORM
  std::string extrinsics;           ///< a file
};

/// What all LiDARs saw at one moment, in memory.
struct RigMoment {
  std::string name;
  std::vector<Scan> scans;
  std::vector<std::string> stems;
  std::vector<RigScan> lidars;  ///< of the scans
};

/// The scans of several LiDARs, moment by moment: those of a recording belong together by their
/// stamps, files by their order.
class RigScans {
 public:
  /// Throws InputError, FieldError for what was typed.
  explicit RigScans(const RigPaths& paths);

  std::size_t moments() const { return frames_.size(); }
  /// Where LiDARs are whose place was not given.
  const std::vector<std::string>& remarks() const { return remarks_; }
  /// Without points.
  const std::vector<RigScan>& lidars() const { return lidars_; }
  /// Throws InputError if a scan cannot be read.
  RigMoment load(std::size_t moment) const;

 private:
  std::vector<RigScan> lidars_;
  std::vector<std::string> remarks_;
  std::vector<std::vector<kitti::Frame>> frames_;  ///< by moment, then LiDAR
};

}  // namespace roadplane::app
