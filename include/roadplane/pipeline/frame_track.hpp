#pragma once

#include <Eigen/Geometry>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "roadplane/dpcp/plane_tracker.hpp"
#include "roadplane/kitti/frame.hpp"

namespace roadplane {

/// A track is begun afresh after so many frames, so that several chunks can be done side by side.
inline constexpr std::size_t kChunk = 64;

/// Between the numbers of frames that follow each other: the median, 1 if there is none.
int usual_spacing(std::span<const int> numbers);

/// The agents' track of the plane through frames of a sequence. It begins afresh at a cut: another
/// sequence, or a gap between the frames' numbers.
class FrameTrack {
 public:
  /// Frames are usually that far apart, by their numbers.
  explicit FrameTrack(int spacing = 1) : spacing_(spacing) {}

  /// What is tracked next; `pose` is the sensor's, where it is known.
  void come_to(const kitti::Frame& frame, const std::optional<Eigen::Isometry3d>& pose);
  /// The plane of the frame that the track has come to.
  PlaneFit operator()(Channel& channel, std::span<const HomogeneousCloud> clouds,
                      const PlaneOptions& options) {
    return tracker_(channel, clouds, options, motion_);
  }

 private:
  struct Seen {
    std::string sequence;
    int number = 0;
    std::optional<Eigen::Isometry3d> pose;
  };

  int spacing_;
  PlaneTracker tracker_;
  std::optional<Seen> last_;
  std::optional<ScanMotion> motion_;  ///< from the last frame to this one
};

/// Frames that are done one after the other by one group of processes.
struct FrameChain {
  std::vector<const kitti::Frame*> before;  ///< have been done; tracked again for what they leave
  std::vector<const kitti::Frame*> to_do;
  int spacing = 1;  ///< of the numbers of its sequence's frames, usually
};

/// For each frame the number of its chunk: so many frames of one sequence, whoever does them.
std::vector<std::size_t> chunks_of(const std::vector<kitti::Frame>& frames);

/// What is left to do, each chunk a chain; without a track each frame is one of its own.
std::vector<FrameChain> chains_of(const std::vector<kitti::Frame>& frames,
                                  const std::vector<bool>& done, bool track);

}  // namespace roadplane
