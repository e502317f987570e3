#include "roadplane/kitti/synthetic/options.hpp"

#include "roadplane/base/named_values.hpp"

namespace roadplane::kitti {
namespace {

constexpr NamedValues<Hill, 4> kHills{
    {{Hill::none, "none"}, {Hill::crest, "crest"}, {Hill::dip, "dip"}, {Hill::grade, "grade"}}};

}  // namespace

Hill hill_from_string(std::string_view name) { return value_of(kHills, name, "hill"); }

void SceneOptions::validate() const {
  require_range("frames", frames, 1, 100000);
  require_range("points_per_frame", points_per_frame, 1000, 1000000);
  require_range("outlier_share", outlier_share, 0.05, 0.95);
  require_range("second_plane_share", second_plane_share, 0.0, outlier_share - 0.02);
  require_range("second_plane_height_m", second_plane_height_m, 0.2, 1.2);
  require_range("slope_deg", slope_deg, -10.0, 10.0);
  require_range("cross_slope_deg", cross_slope_deg, -10.0, 10.0);
  require_range("grade_percent", grade_percent, 0.0, 10.0);
  require_range("bank_percent", bank_percent, -10.0, 10.0);
  require_range("bump_height_m", bump_height_m, 0.0, 0.15);
  require_range("kerb_height_m", kerb_height_m, 0.0, 0.15);
  require_range("verge_width_m", verge_width_m, 0.0, 4.0);
  require_range("sidewalk_reflectance", sidewalk_reflectance, 0.05, 0.95);
  require_range("roughness_m", roughness_m, 0.0, 0.1);
  require_range("range_noise_m", range_noise_m, 0.0, 0.5);
  require_range("drop_out", drop_out, 0.0, 0.9);
  require_range("speed_mps", speed_mps, 0.0, 40.0);
  require_range("frame_rate_hz", frame_rate_hz, 1.0, 100.0);
}

}  // namespace roadplane::kitti
