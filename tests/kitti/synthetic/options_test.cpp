#include "roadplane/kitti/synthetic/options.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "roadplane/base/input_error.hpp"
#include "roadplane/kitti/synthetic/scene.hpp"

namespace roadplane::kitti {
namespace {

TEST(SceneOptions, DefaultsAreValid) { EXPECT_NO_THROW(SceneOptions{}.validate()); }

struct BadValue {
  const char* field;
  std::function<void(SceneOptions&)> set;
};

TEST(SceneOptions, NamesTheFieldThatIsOutOfRange) {
  const double infinity = std::numeric_limits<double>::infinity();
  const BadValue bad_values[] = {
      {"frames", [](auto& o) { o.frames = 0; }},
      {"frames", [](auto& o) { o.frames = 100001; }},
      {"points_per_frame", [](auto& o) { o.points_per_frame = 999; }},
      {"points_per_frame", [](auto& o) { o.points_per_frame = -1; }},
      {"points_per_frame", [](auto& o) { o.points_per_frame = 2000000000; }},
      {"outlier_share", [](auto& o) { o.outlier_share = 0; }},
      {"outlier_share", [](auto& o) { o.outlier_share = 1; }},
      {"outlier_share", [](auto& o) { o.outlier_share = NAN; }},
      {"second_plane_share", [](auto& o) { o.second_plane_share = -0.1; }},
      {"second_plane_share", [](auto& o) { o.second_plane_share = o.outlier_share; }},
      {"second_plane_height_m", [](auto& o) { o.second_plane_height_m = 2; }},
      {"slope_deg", [](auto& o) { o.slope_deg = 11; }},
      {"cross_slope_deg", [](auto& o) { o.cross_slope_deg = -11; }},
      {"grade_percent", [](auto& o) { o.grade_percent = 10.1; }},
      {"grade_percent", [](auto& o) { o.grade_percent = -1; }},
      {"bank_percent", [](auto& o) { o.bank_percent = -11; }},
      {"bump_height_m", [](auto& o) { o.bump_height_m = 0.2; }},
      {"bump_height_m", [](auto& o) { o.bump_height_m = NAN; }},
      {"roughness_m", [](auto& o) { o.roughness_m = -0.001; }},
      {"range_noise_m", [=](auto& o) { o.range_noise_m = infinity; }},
      {"drop_out", [](auto& o) { o.drop_out = 1; }},
      {"speed_mps", [](auto& o) { o.speed_mps = -1; }},
      {"frame_rate_hz", [](auto& o) { o.frame_rate_hz = 0; }},
  };
  for (const auto& bad : bad_values) {
    SceneOptions options;
    bad.set(options);
    try {
      options.validate();
      ADD_FAILURE() << bad.field << " was accepted";
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).rfind(std::string(bad.field) + ": expected ", 0), 0U)
          << error.what();
    }
    EXPECT_THROW(SyntheticScene{options}, InputError) << bad.field;
  }
}

}  // namespace
}  // namespace roadplane::kitti
