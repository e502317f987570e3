#include "roadplane/kitti/synthetic/options.hpp"

#include <sstream>

#include "roadplane/base/input_error.hpp"

namespace roadplane::kitti {
namespace {

// Written so that NaN fails too.
template <class T>
void require_within(const char* field, T value, T low, T high) {
  if (value >= low && value <= high) return;
  std::ostringstream expected;
  expected << low << " to " << high;
  std::ostringstream found;
  found << value;
  throw InputError(field, expected.str(), found.str());
}

}  // namespace

void SceneOptions::validate() const {
  require_within("frames", frames, 1, 100000);
  require_within("points_per_frame", points_per_frame, 1000, 1000000);
  require_within("outlier_share", outlier_share, 0.05, 0.95);
  require_within("second_plane_share", second_plane_share, 0.0, outlier_share - 0.02);
  require_within("second_plane_height_m", second_plane_height_m, 0.2, 1.2);
  require_within("slope_deg", slope_deg, -10.0, 10.0);
  require_within("cross_slope_deg", cross_slope_deg, -10.0, 10.0);
  require_within("roughness_m", roughness_m, 0.0, 0.1);
  require_within("range_noise_m", range_noise_m, 0.0, 0.5);
  require_within("drop_out", drop_out, 0.0, 0.9);
  require_within("speed_mps", speed_mps, 0.0, 40.0);
  require_within("frame_rate_hz", frame_rate_hz, 1.0, 100.0);
}

}  // namespace roadplane::kitti
