#pragma once

#include "roadplane/kitti/synthetic/options.hpp"

namespace roadplane::kitti::synthetic {

/// A height and how it changes.
struct Height {
  double z_m = 0;
  double ahead = 0;  ///< [m/m] along the street
  double left = 0;   ///< [m/m] across it
};

/// What the land does beyond the street's constant slope: vertical curves and banking. Places are
/// street metres from the start of the drive and metres to the left of the centre line.
class Hills {
 public:
  explicit Hills(const SceneOptions& options);

  Height at(double x, double y) const;
  bool flat() const { return grade_ == 0 && bank_ == 0; }
  /// [m/m] no place is steeper.
  double steepest() const;

 private:
  double grade_;    ///< [m/m] of the flanks; negative turns a crest into a dip
  bool one_sided_;  ///< from level to the grade, not from one flank to the other
  double bank_;     ///< [m/m] across, up to the left
};

/// Speed bumps across the carriageway, every 30 m.
class Bumps {
 public:
  Bumps(double height_m, double half_width_m) : height_m_(height_m), half_width_m_(half_width_m) {}

  Height at(double x, double y) const;
  bool none() const { return height_m_ == 0; }
  double steepest() const;

 private:
  double height_m_;
  double half_width_m_;
};

}  // namespace roadplane::kitti::synthetic
