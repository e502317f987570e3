#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <span>

#include "roadplane/ground/relief.hpp"

namespace roadplane {

/// What is known beforehand of roads; docs/road.md says what each cue is worth.
struct RoadOptions {
  float height = 0.5F;             ///< log odds of a cell at the height of the road's profile
  float height_m = 0.02F;          ///< [m] off it at the sensor, where they are 0, at most,
  float height_spreads = 0.85F;    ///< and so much of what the road itself is off it
  float height_range_m = 20;       ///< [m] at that distance twice as much is allowed
  float height_below = 0.7F;       ///< what is below the profile counts as so much less high
  float learnt = 0.5F;             ///< weight of log odds that are learnt from the scan
  float link = 25;                 ///< of neighbouring cells, against log odds
  float link_slope = 0.03F;        ///< [m/m] between neighbours is no step
  float link_step_m = 0.008F;      ///< [m] a step of which quarters the link
  float seed = 5;                  ///< log odds of ground before a sensor that looks one way only
  float seed_length_m = 10;        ///< [m] so far ahead,
  float seed_half_width_m = 1.2F;  ///< [m] so far to either side,
  float seed_height_m = 0.1F;      ///< [m] and so near the plane
  float profile_m = 0.06F;         ///< [m] scale of heights about the profile that shape it
  float profile_up = 0.5F;         ///< of that scale above it: kerbs lead up
  float profile_noise_m = 0.05F;   ///< [m] of a cell about it
  float profile_walk = 0.02F;      ///< [m/m] by which its slope changes over 10 m
  float profile_memory_m = 100;    ///< [m] over which a slope is forgotten
  bool learns_reflectance = true;  ///< of road and of other ground, from the scan itself
  bool learns_roughness = true;    ///< the same of how rough they are
  int passes = 3;                  ///< from the second on, something is learnt

  /// By how much more heights may be off at a distance than at the sensor.
  float widening(float range_m) const { return 1 + range_m / height_range_m; }
};

/// The road's part of the ground. Each agent sorts its ground points into fine cells around the
/// sensor and asks of each cell: how far is it off the road's profile, is it as rough as the road,
/// does it reflect as the road does? Neighbouring cells share their answers (a random walk), the
/// less the more the ground steps between them: at kerbs. How rough and bright the road is, and how
/// far it is off its profile, is learnt from the scan itself; the agents agree on it by gossip, 23
/// numbers a pass, and on nothing else.
class RoadFinder {
 public:
  explicit RoadFinder(const RoadOptions& options = {});
  ~RoadFinder();

  /// As GroundFinder does, with labels of the road alone; residuals are heights above the ground.
  Ground operator()(Channel& channel, const PointRows& points, const Shards& shards,
                    std::span<const Eigen::Vector4d> hyperplanes,
                    const std::optional<Threshold>& limit = std::nullopt,
                    Residuals residuals = Residuals::kept);

 private:
  struct Buffers;

  RoadOptions options_;
  GroundFinder find_ground_;
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace roadplane
