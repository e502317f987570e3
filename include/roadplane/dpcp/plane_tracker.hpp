#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <span>

#include "roadplane/dpcp/find_plane.hpp"

namespace roadplane {

/// Takes points of one scan's frame to that of another.
using ScanMotion = Eigen::Matrix<double, 3, 4>;

struct RoadMemory;

/// Finds the plane of one scan after another, by agents that remember: a solve begins at the last
/// plane, in the coordinates that were agreed on then. Floors are proposed only for the first scan
/// and where what comes of it is doubted; then the scan is solved as find_plane() does.
class PlaneTracker {
 public:
  /// Of the next scan of the same sensor; the agents that are hosted are always the same. `motion`
  /// takes points from the last scan's frame to this one's, where it is known; one that takes the
  /// plane out of what may be a road ends the track. Throws FieldError if
  /// the objective is not the robust one.
  PlaneFit operator()(Channel& channel, std::span<const HomogeneousCloud> clouds,
                      const PlaneOptions& options, const std::optional<ScanMotion>& motion = {});

  /// The next scan does not follow the last one.
  void forget() { *this = {}; }
  /// Whether the next solve begins at a plane.
  bool has_plane() const { return memory_ != nullptr; }

 private:
  /// The last plane that was not doubted, to compare others with: n'p + offset = 0 in the file's
  /// frame, the same bits for everybody.
  struct Trusted {
    Eigen::Vector4d floor;
    Eigen::Vector4d moved;  ///< where it is now, by the motion since then
    int age = 0;            ///< [scans]
  };

  std::shared_ptr<const RoadMemory> memory_;  ///< where the next solve begins; may be none
  std::optional<Trusted> trusted_;
};

}  // namespace roadplane
