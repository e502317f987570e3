#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "roadplane/network/channel.hpp"

namespace roadplane {

/// What somebody says of the ground at a place, in the frame that all agents share.
struct GroundView {
  Eigen::Vector3d place;   ///< [m] on the ground
  Eigen::Vector3d normal;  ///< unit, upwards
  double weight = 1;       ///< 0 to 1, of the view beside others
};

/// [m] of a view's ground above a plane n'p + offset = 0 with a unit normal, at its place.
double above_plane_m(const GroundView& view, const Eigen::Vector4d& plane);

struct GroundAgreementOptions {
  /// [m] around its place for which a view speaks. With poses that are wrong by 0.2 m in height and
  /// 0.2 degrees in tilt, 57 m would give heights and tilts the weights that they deserve.
  double radius_m = 20;
  double finest_m = 0.1;  ///< [m] scale of the loss: views that differ by less are of one ground
  std::uint64_t seed = 1;

  /// Throws InputError naming the bad field and its range.
  void validate() const;
};

/// What all agents have the same bits of, from one moment to the next.
struct GroundMemory {
  Eigen::Vector4d plane;  ///< n'p + offset = 0, unit normal
  double scale_m = 0;     ///< [m] of the loss
};

struct GroundAgreement {
  std::vector<Eigen::Vector4d> planes;  ///< of the hosted agents: n'p + offset = 0, unit normal
  std::vector<double>
      apart_m;          ///< of the hosted agents: their view from it, at most, in its radius
  double scale_m = 0;   ///< what is farther apart than this did not count in the end
  double spread_m = 0;  ///< [m] deviation of the heights that did
  double views = 0;     ///< how many agents had one
  std::int64_t iterations = 0;
  int solves = 0;        ///< at ever finer scales
  bool tracked = false;  ///< from what was remembered
  GroundMemory memory;   ///< to begin at the next time
  Traffic traffic;
};

/// The plane through what most agents say of the ground, each at its own place: a dual principal
/// component pursuit with a few columns around every agent's place, solved by VRSGT with Tukey's
/// loss, at a scale that shrinks as long as most of the agents are well within it. Whoever is far
/// from what the others say does not count. One view per hosted agent, or none; only small vectors
/// leave an agent. `last` is what the hosted agents remember of the moment before, each perhaps
/// nothing: where most of the views still lie about that plane, one solve at its scale is enough,
/// or another at a coarser one.
GroundAgreement agree_on_ground(Channel& channel, std::span<const std::optional<GroundView>> views,
                                const GroundAgreementOptions& options = {},
                                std::span<const std::optional<GroundMemory>> last = {});

}  // namespace roadplane
