#pragma once

#include <cstdint>
#include <string_view>

namespace roadplane::kitti {

/// What the road's grade does ahead.
enum class Hill {
  none,   ///< the same all along
  crest,  ///< from up to down, 80 m later back, and so on
  dip,    ///< from down to up, 80 m later back, and so on
  grade,  ///< from level to up, 80 m later level again, and so on
};

/// Throws FieldError naming `hill`.
Hill hill_from_string(std::string_view name);

/// What street a synthetic sequence drives through, and how well its LiDAR sees it.
struct SceneOptions {
  std::uint64_t seed = 1;         ///< same seed and options, same bytes
  int frames = 10;                ///< frames in a written sequence, 1..100000
  int points_per_frame = 120000;  ///< returns aimed at per frame (to about 5 %), 1000..1000000

  /// Share of returns that are not road (labels 40, 44, 60), 0.05..0.95, kept to about 0.03. The
  /// street is made narrower or wider and emptier or fuller until it comes close; the rest is done
  /// by leaving out returns of the class there is too much of.
  double outlier_share = 0.62;
  /// Share of returns on a raised platform along the right kerb, parallel to the road: 0 (only
  /// kerb-high sidewalks) up to outlier_share - 0.02. Reached like outlier_share.
  double second_plane_share = 0;
  double second_plane_height_m = 0.5;  ///< [m] of the platform above the road, 0.2..1.2

  /// [deg] the road rises ahead / to the left of a level sensor, -10..10. Walls stay upright.
  double slope_deg = 1.0;
  double cross_slope_deg = 0.5;

  /// The vehicle follows all of these, so the plane below it keeps its slope against the sensor.
  /// The first change is 20 to 40 m ahead of the start.
  Hill hill = Hill::none;
  double grade_percent = 8;  ///< [%] of a hill's flanks, 0..10
  /// [%] cross slope, up to the left, that the road turns to and from as in a curve (the street
  /// itself stays straight), -10..10
  double bank_percent = 0;
  double bump_height_m = 0;  ///< [m] of speed bumps, every 30 m from 12 m on, 0..0.15

  double kerb_height_m = 0.13;         ///< [m] of the kerbs, 0..0.15; a platform's is its own
  double verge_width_m = 0;            ///< [m] of grass between kerb and sidewalk, 0..4
  double sidewalk_reflectance = 0.33;  ///< 0.05..0.95; the road's is 0.24
  bool driveways = false;              ///< every 20 m on each side, 4 m wide, over lowered kerbs

  double roughness_m = 0.006;   ///< [m] standard deviation of the road's surface, 0..0.1
  double range_noise_m = 0.02;  ///< [m] standard deviation along the ray, 0..0.5
  double drop_out = 0.03;       ///< probability that a return is lost, 0..0.9
  double speed_mps = 8.0;       ///< [m/s] of the ego vehicle, 0..40
  double frame_rate_hz = 10.0;  ///< [1/s], 1..100

  /// Throws InputError naming the field and its range.
  void validate() const;
};

}  // namespace roadplane::kitti
