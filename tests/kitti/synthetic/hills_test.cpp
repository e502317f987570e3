#include "synthetic/hills.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "roadplane/kitti/synthetic/scene.hpp"
#include "support/input_error.hpp"
#include "synthetic/world.hpp"

namespace roadplane::kitti {
namespace {

using synthetic::Bumps;
using synthetic::Ground;
using synthetic::Height;
using synthetic::Hills;
using synthetic::kEgoLaneY;
using synthetic::Ray;
using synthetic::StreetLayout;
using synthetic::Vec3;

SceneOptions hilly(Hill hill, double grade_percent = 8) {
  SceneOptions options;
  options.hill = hill;
  options.grade_percent = grade_percent;
  return options;
}

SceneOptions banked(double bank_percent) {
  SceneOptions options;
  options.bank_percent = bank_percent;
  return options;
}

TEST(Hills, ChangeGradeAsAsked) {
  const auto grade = [](Hill hill, double x) { return Hills(hilly(hill)).at(x, 3).ahead; };
  for (const double before : {-30.0, 0.0, 20.0, 170.0}) {
    EXPECT_NEAR(grade(Hill::crest, before), 0.08, 1e-12);
    EXPECT_NEAR(grade(Hill::dip, before), -0.08, 1e-12);
    EXPECT_NEAR(grade(Hill::grade, before), 0, 1e-12);
    EXPECT_EQ(grade(Hill::none, before), 0);
  }
  for (const double after : {40.0, 70.0, 100.0, 210.0}) {
    EXPECT_NEAR(grade(Hill::crest, after), -0.08, 1e-12);
    EXPECT_NEAR(grade(Hill::dip, after), 0.08, 1e-12);
    EXPECT_NEAR(grade(Hill::grade, after), 0.08, 1e-12);
  }
  EXPECT_NEAR(grade(Hill::crest, 30), 0, 1e-12);
  EXPECT_NEAR(grade(Hill::grade, 30), 0.04, 1e-12);
  const Hills crest(hilly(Hill::crest));  // 20 m at 8 %, then 10 m at 4 % on average
  EXPECT_NEAR(crest.at(30, 0).z_m - crest.at(0, 0).z_m, 2.0, 1e-12);
}

TEST(Hills, BankTheRoadWithinItsLand) {
  const Hills hills(banked(6));
  EXPECT_NEAR(hills.at(0, 0).left, 0, 1e-12);
  EXPECT_NEAR(hills.at(60, 0).left, 0.06, 1e-12);
  EXPECT_NEAR(hills.at(60, 5).z_m - hills.at(60, -5).z_m, 0.6, 0.04);
  EXPECT_LT(hills.at(60, 300).z_m, 0.73) << "the land beside it does not rise for ever";
  EXPECT_NEAR(Hills(banked(-6)).at(60, 2).z_m, -hills.at(60, 2).z_m, 1e-12);
}

TEST(Hills, BumpsAreRoundAndEndAtTheKerb) {
  const Bumps bumps(0.1, 5.3);
  for (const double x : {12.0, 42.0, -18.0}) {
    EXPECT_NEAR(bumps.at(x, 0).z_m, 0.1, 1e-12);
    EXPECT_NEAR(bumps.at(x + 1.85 / 2, 2).z_m, 0.05, 1e-12);
    EXPECT_EQ(bumps.at(x + 1.86, 2).z_m, 0);
    EXPECT_EQ(bumps.at(x, 5.3).z_m, 0);
    EXPECT_EQ(bumps.at(x, -7).z_m, 0);
  }
}

TEST(Hills, SlopesAreThoseOfTheHeights) {
  constexpr double kStep = 1e-5;
  SceneOptions all = hilly(Hill::dip, 10);
  all.bank_percent = 7;
  const Hills hills(all);
  const Bumps bumps(0.12, 5.3);
  const auto check = [](const auto& surface, double x, double y) {
    const Height here = surface.at(x, y);
    EXPECT_NEAR((surface.at(x + kStep, y).z_m - surface.at(x - kStep, y).z_m) / (2 * kStep),
                here.ahead, 1e-5);
    EXPECT_NEAR((surface.at(x, y + kStep).z_m - surface.at(x, y - kStep).z_m) / (2 * kStep),
                here.left, 1e-5);
    EXPECT_LE(std::hypot(here.ahead, here.left), surface.steepest() + 1e-12);
  };
  for (double x = -200.3; x < 400; x += 0.731) {
    for (const double y : {-40.0, -5.1, -1.6, 0.3, 5.0, 12.0}) {
      check(hills, x, y);
      check(bumps, x, y);
    }
  }
}

TEST(Hills, LeaveThePlaneBelowTheVehicleAlone) {
  SceneOptions options = hilly(Hill::crest, 10);
  options.bank_percent = -5;
  const SceneOptions flat;
  for (const int frame : {0, 20, 37, 55, 130}) {
    const auto view = synthetic::view_of_frame(options, frame);
    const Ground ground(StreetLayout{}, options, view.street_x);
    const Height here = ground.relief().at(0, kEgoLaneY);
    EXPECT_NEAR(here.z_m, 0, 1e-12);
    EXPECT_NEAR(here.ahead, 0, 1e-12);
    EXPECT_NEAR(here.left, 0, 1e-12);
    const Plane without = synthetic::view_of_frame(flat, frame).road;
    EXPECT_LT((view.road.normal - without.normal).norm(), 1e-12);
    EXPECT_NEAR(view.road.offset_m, without.offset_m, 1e-12);
  }
}

TEST(Hills, RaysHitTheGroundAndNothingOfItBefore) {
  SceneOptions options = hilly(Hill::crest, 10);
  options.bank_percent = 10;
  options.bump_height_m = 0.15;
  CounterRandom random(6, RandomUse::user);
  int hits = 0;
  for (int i = 0; i < 600; ++i) {
    const Ground ground(StreetLayout{}, options, 80 * random.uniform());
    const double azimuth = 6.3 * random.uniform();
    const Ray ray{{0, 4 * random.uniform() - 2, 1.73},
                  Vec3(std::cos(azimuth), std::sin(azimuth), 0.3 * random.uniform() - 0.2)};
    double t = 0;
    int piece = 0;
    const bool hit = ground.intersect(ray, 80, t, piece);
    const auto above = [&](double s) {
      return ray.at(s).z() - ground.height_m(ray.at(s).x(), ray.at(s).y());
    };
    if (hit) {
      EXPECT_NEAR(above(t), 0, 1e-9);
      ++hits;
    }
    for (double s = 0; s < (hit ? t : 80) - 1e-6; s += 0.05) ASSERT_GT(above(s), -1e-3) << i;
  }
  EXPECT_GT(hits, 300);
}

/// [m/m] of a crest with flanks of 10 %, written down anew.
double crest_grade(double x) {
  if (x < -60) return -0.1;
  if (x < -40) return -0.1 + 0.2 * (x + 60) / 20;
  if (x < 20) return 0.1;
  if (x < 40) return 0.1 - 0.2 * (x - 20) / 20;
  if (x < 100) return -0.1;
  return -0.1 + 0.2 * (x - 100) / 20;
}

/// [m] of a place above the tangent at another one: the grades between them, summed up.
double crest_above_tangent(double from, double to) {
  constexpr int kSteps = 4000;
  double height = 0;
  for (int k = 0; k < kSteps; ++k) {
    height += crest_grade(from + (to - from) * (k + 0.5) / kSteps) * (to - from) / kSteps;
  }
  return height - crest_grade(from) * (to - from);
}

TEST(Hills, EveryRoadPointOfAScanIsOnTheSurface) {
  SceneOptions options = hilly(Hill::crest, 10);
  options.points_per_frame = 8000;
  options.roughness_m = 0;
  options.range_noise_m = 0;
  const SyntheticScene scene(options);
  for (const int index : {0, 30, 45}) {  // before, on and behind the crest
    const SyntheticFrame frame = scene.frame(index);
    const auto view = synthetic::view_of_frame(options, index);
    double highest = 0;
    int count = 0;
    for (std::size_t k = 0; k < frame.points.size(); ++k) {
      if (frame.labels[k] != 40 && frame.labels[k] != 44 && frame.labels[k] != 60) continue;
      const Point& p = frame.points[k];
      const Vec3 at = view.origin + view.to_street * Vec3(p.x, p.y, p.z);
      const double expected = crest_above_tangent(view.street_x, view.street_x + at.x());
      EXPECT_NEAR(at.z(), expected, 2e-4);
      highest = std::max(highest, std::abs(expected));
      ++count;
    }
    EXPECT_GT(count, 1000);
    EXPECT_GT(highest, 0.5) << "or there is no hill";
  }
}

TEST(Hills, GroundNearTheVehicleLiesOnTheTruthPlane) {
  for (SceneOptions options :
       {hilly(Hill::crest), hilly(Hill::dip), hilly(Hill::grade), banked(8)}) {
    options.points_per_frame = 8000;
    options.roughness_m = 0;
    options.range_noise_m = 0;
    const SyntheticFrame frame = SyntheticScene(options).frame(0);
    double far = 0;
    for (std::size_t k = 0; k < frame.points.size(); ++k) {
      if (frame.labels[k] != 40) continue;
      const Point& p = frame.points[k];
      const double above = frame.road.normal.dot(Vec3(p.x, p.y, p.z)) + frame.road.offset_m;
      if (p.x > -30 && p.x < 18) {
        EXPECT_NEAR(above, 0, 1e-4);
      }
      far = std::max(far, std::abs(above));
    }
    EXPECT_GT(far, 0.2);
  }
}

TEST(Hills, HaveNamesAndLimits) {
  EXPECT_EQ(hill_from_string("crest"), Hill::crest);
  for (const char* name : {"", "Crest", "hill", "crest,dip"}) {
    test::expect_one_line([&] { hill_from_string(name); }, "hill", "\"");
  }
}

}  // namespace
}  // namespace roadplane::kitti
