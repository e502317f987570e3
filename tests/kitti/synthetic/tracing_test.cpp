// The ray tracer's parts against slow and simple counterparts.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "roadplane/base/counter_random.hpp"
#include "synthetic/bvh.hpp"
#include "synthetic/ground.hpp"
#include "synthetic/noise.hpp"
#include "synthetic/objects.hpp"

namespace roadplane::kitti::synthetic {
namespace {

Vec3 random_direction(CounterRandom& random) {
  return Vec3(random.normal(), random.normal(), random.normal()).normalized();
}

std::vector<Primitive> crowd() {
  CounterRandom random(3, RandomUse::user);
  std::vector<Primitive> solids;
  for (int i = 0; i < 12; ++i) {
    const auto stand = [&] {
      return Stand{40 * random.uniform() - 20, 40 * random.uniform() - 20, 0, 6 * random.uniform()};
    };
    add_car(solids, stand(), false, random);
    add_tree(solids, stand(), random);
    add_building(solids, stand(), 9, random);
    add_fence(solids, stand(), 5, random);
    add_person(solids, stand(), random);
  }
  return solids;
}

TEST(SyntheticTracing, HierarchyFindsWhatASearchOfAllSolidsFinds) {
  const std::vector<Primitive> solids = crowd();
  const Bvh bvh(solids);
  ASSERT_EQ(bvh.primitives().size(), solids.size());
  CounterRandom random(4, RandomUse::user);
  int hits = 0;
  for (int i = 0; i < 3000; ++i) {
    const Ray ray{{30 * random.uniform() - 15, 30 * random.uniform() - 15, 1.7},
                  random_direction(random)};
    double nearest = 60;
    PrimitiveHit hit;
    for (const Primitive& p : solids) {
      if (intersect(p, ray, nearest, hit)) nearest = hit.t;
    }
    const bool found = bvh.nearest(ray, 60, hit) != nullptr;
    ASSERT_EQ(found, nearest < 60);
    ASSERT_EQ(bvh.blocked(ray, 60), found);
    if (!found) continue;
    ASSERT_EQ(hit.t, nearest);
    ++hits;
  }
  EXPECT_GT(hits, 1000);
}

TEST(SyntheticTracing, HierarchyOfNothingIsEmpty) {
  const Bvh bvh({});
  EXPECT_FALSE(bvh.blocked({Vec3::Zero(), Vec3::UnitX()}, 100));
}

TEST(SyntheticTracing, HitsLieInsideTheBounds) {
  CounterRandom random(5, RandomUse::user);
  for (const Primitive& p : crowd()) {
    const Bounds box = bounds_of(p);
    for (int i = 0; i < 20; ++i) {
      const Vec3 direction = random_direction(random);
      const Ray ray{p.centre - 50 * direction, direction};
      PrimitiveHit hit;
      if (!intersect(p, ray, 100, hit)) continue;
      const Vec3 point = ray.at(hit.t);
      for (int a = 0; a < 3; ++a) {
        EXPECT_GE(point[a], box.low[static_cast<std::size_t>(a)] - 1e-9);
        EXPECT_LE(point[a], box.high[static_cast<std::size_t>(a)] + 1e-9);
      }
      if (p.look.material == Material::leaf) continue;  // may be hit from inside
      EXPECT_LT(normal_at(p, point, hit.face).dot(direction), 1e-9);
    }
  }
}

TEST(SyntheticTracing, GroundHitsLieOnTheGroundAndAreTheFirst) {
  StreetLayout layout;
  layout.platform_width_m = 5;
  layout.platform_height_m = 0.7;
  const Ground ground(layout, SceneOptions{});
  CounterRandom random(6, RandomUse::user);
  for (int i = 0; i < 400; ++i) {
    const Ray ray{{0, 6 * random.uniform() - 3, 1.73}, random_direction(random)};
    double t = 0;
    int piece = 0;
    const bool hit = ground.intersect(ray, 80, t, piece);
    const double end = hit ? t : 80;
    if (hit) {
      EXPECT_NEAR(ray.at(t).z(), ground.height_m(ray.at(t).x(), ray.at(t).y()), 1e-9);
    }
    for (double s = 0; s < end - 1e-6; s += 0.05) {
      ASSERT_GT(ray.at(s).z(), ground.height_m(ray.at(s).x(), ray.at(s).y()) - 1e-9);
    }
  }
}

TEST(SyntheticTracing, TheRoadIsExactlyFlatAndKerbsAreNot) {
  const Ground ground(StreetLayout{}, SceneOptions{});
  for (const double y : {-5.2, -3.0, 0.0, 2.0, 5.2}) EXPECT_EQ(ground.height_m(7, y), 0);
  EXPECT_NEAR(ground.height_m(7, 5.4), 0.13, 1e-12);
  EXPECT_NEAR(ground.height_m(7, -5.4), 0.13, 1e-12);
}

TEST(SyntheticTracing, RoughnessHasUnitDeviation) {
  double sum = 0;
  double squares = 0;
  constexpr int kSide = 400;
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j) {
      const double h = unit_roughness(0.237 * i - 40, 0.241 * j - 40, 99);
      sum += h;
      squares += h * h;
    }
  }
  EXPECT_NEAR(sum / (kSide * kSide), 0, 0.03);
  EXPECT_NEAR(std::sqrt(squares / (kSide * kSide)), 1, 0.03);
}

}  // namespace
}  // namespace roadplane::kitti::synthetic
