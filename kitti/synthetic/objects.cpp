#include "objects.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace roadplane::kitti::synthetic {
namespace {

constexpr std::uint16_t kCar = 10;
constexpr std::uint16_t kMovingCar = 252;
constexpr std::uint16_t kPerson = 30;
constexpr std::uint16_t kBuilding = 50;
constexpr std::uint16_t kFence = 51;
constexpr std::uint16_t kVegetation = 70;
constexpr std::uint16_t kTrunk = 71;
constexpr std::uint16_t kPole = 80;

double between(CounterRandom& random, double low, double high) {
  return low + (high - low) * random.uniform();
}

Colour pick(std::span<const Colour> palette, CounterRandom& random) {
  return palette[random.below(static_cast<std::uint32_t>(palette.size()))];
}

/// Places solids given in an object's own axes (x ahead, y left, z up from its foot).
class Builder {
 public:
  Builder(Primitives& out, const Stand& stand)
      : out_(out), stand_(stand), cos_(std::cos(stand.yaw_rad)), sin_(std::sin(stand.yaw_rad)) {}

  /// Valid until the next solid is added.
  Primitive& add(Shape shape, const Look& look, const Vec3& centre, const Vec3& half) {
    Primitive p;
    p.shape = shape;
    p.look = look;
    p.centre = {stand_.x + cos_ * centre.x() - sin_ * centre.y(),
                stand_.y + sin_ * centre.x() + cos_ * centre.y(), stand_.z + centre.z()};
    p.half = half;
    p.cos_yaw = cos_;
    p.sin_yaw = sin_;
    out_.push_back(p);
    return out_.back();
  }

 private:
  Primitives& out_;
  const Stand& stand_;
  double cos_;
  double sin_;
};

const std::array<Colour, 9> kCarColours{
    Colour(0.62F, 0.63F, 0.65F), Colour(0.30F, 0.31F, 0.33F), Colour(0.03F, 0.03F, 0.035F),
    Colour(0.80F, 0.80F, 0.79F), Colour(0.03F, 0.06F, 0.18F), Colour(0.40F, 0.02F, 0.025F),
    Colour(0.13F, 0.14F, 0.15F), Colour(0.05F, 0.16F, 0.30F), Colour(0.30F, 0.27F, 0.20F)};
const std::array<Colour, 8> kFacadeColours{
    Colour(0.58F, 0.46F, 0.26F), Colour(0.62F, 0.60F, 0.55F), Colour(0.50F, 0.32F, 0.18F),
    Colour(0.40F, 0.17F, 0.11F), Colour(0.46F, 0.48F, 0.32F), Colour(0.36F, 0.42F, 0.48F),
    Colour(0.58F, 0.40F, 0.30F), Colour(0.62F, 0.53F, 0.36F)};
const std::array<Colour, 3> kRoofColours{Colour(0.26F, 0.09F, 0.06F), Colour(0.19F, 0.12F, 0.09F),
                                         Colour(0.11F, 0.11F, 0.12F)};
const std::array<Colour, 4> kClothColours{Colour(0.04F, 0.06F, 0.15F), Colour(0.30F, 0.05F, 0.05F),
                                          Colour(0.10F, 0.10F, 0.10F), Colour(0.35F, 0.32F, 0.25F)};

Colour leaf_colour(CounterRandom& random) {
  const auto g = static_cast<float>(between(random, 0.13, 0.20));
  return {g * static_cast<float>(between(random, 0.50, 0.80)), g, g * 0.25F};
}

void add_wheels_and_mirrors(Builder& car, const Look& look, double length, double width,
                            double waist) {
  for (const double x : {0.62 * length, -0.60 * length}) {
    for (const double y : {width - 0.10, 0.10 - width}) {
      car.add(Shape::wheel, {Material::tyre, look.label, Colour::Constant(0.02F), look.variant},
              {x, y, 0.32}, {0.32, 0.115, 0.32});
    }
  }
  for (const double y : {width + 0.06, -width - 0.06}) {
    car.add(Shape::frustum, {Material::car_body, look.label, look.colour, 0},
            {0.30 * length, y, waist + 0.08}, {0.06, 0.09, 0.06});
  }
}

}  // namespace

void add_car(Primitives& out, const Stand& stand, bool moving, CounterRandom& random) {
  const std::uint16_t label = moving ? kMovingCar : kCar;
  const Colour paint = pick(kCarColours, random);
  const std::uint32_t variant = random();
  const bool estate = random.uniform() < 0.35;
  const double length = between(random, 1.95, 2.25);  // half of it
  const double width = between(random, 0.84, 0.91);
  const double roof = between(random, 1.40, 1.55);
  const double waist = 0.86;
  const Look look{Material::car_body, label, paint, variant};
  Builder car(out, stand);

  Primitive& body = car.add(Shape::frustum, look, {0, 0, 0.51}, {length, width, 0.27});
  body.inset_front = 0.10;
  body.inset_rear = 0.06;
  body.inset_side = 0.03;
  Primitive& shoulder = car.add(Shape::frustum, {Material::car_body, label, paint, 0},
                                {0, 0, waist - 0.03}, {length - 0.08, width - 0.03, 0.05});
  shoulder.inset_front = 0.75;
  shoulder.inset_rear = 0.10;
  shoulder.inset_side = 0.05;
  const double cabin_front = 0.42 * length;
  const double cabin_rear = estate ? -0.97 * length : -0.80 * length;
  Primitive& cabin = car.add(Shape::frustum, {Material::car_cabin, label, paint, variant},
                             {(cabin_front + cabin_rear) / 2, 0, (waist + roof) / 2},
                             {(cabin_front - cabin_rear) / 2, width - 0.06, (roof - waist) / 2});
  cabin.inset_front = 0.72;
  cabin.inset_rear = estate ? 0.22 : 0.48;
  cabin.inset_side = 0.17;

  car.add(Shape::frustum, {Material::underbody, label, Colour::Constant(0.012F), 0}, {0, 0, 0.20},
          {length - 0.25, width - 0.12, 0.12});
  add_wheels_and_mirrors(car, look, length, width, waist);
}

void add_tree(Primitives& out, const Stand& stand, CounterRandom& random) {
  const double height = between(random, 2.4, 3.4);  // of the trunk's free part
  const double radius = between(random, 1.5, 2.3);  // of the crown
  const double thickness = between(random, 0.11, 0.20);
  const Colour leaves = leaf_colour(random);
  Builder tree(out, stand);
  tree.add(Shape::post, {Material::bark, kTrunk, Colour(0.10F, 0.075F, 0.055F), random()},
           {0, 0, height / 2 + 0.3}, {thickness, thickness, height / 2 + 0.6});
  // A core, and clumps around it that make the outline irregular.
  tree.add(Shape::ellipsoid, {Material::leaf, kVegetation, leaves * 0.9F, random()},
           {0, 0, height + 0.8 * radius}, {0.88 * radius, 0.88 * radius, 0.95 * radius});
  const int clumps = 9;
  const double start = between(random, 0, 6.28);
  for (int i = 0; i < clumps; ++i) {
    const double angle = start + 2.4 * i;  // the golden angle: no two above each other
    const double level = (i + 0.5) / clumps;
    const double reach = radius * (0.70 - 0.5 * level * level) * between(random, 0.75, 1.1);
    const double size = radius * between(random, 0.45, 0.62);
    const float tint = static_cast<float>(between(random, 0.85, 1.15));
    tree.add(
        Shape::ellipsoid, {Material::leaf, kVegetation, leaves * tint, random()},
        {reach * std::cos(angle), reach * std::sin(angle), height + radius * (0.1 + 1.5 * level)},
        {size, size, 0.8 * size});
  }
}

void add_bush(Primitives& out, const Stand& stand, CounterRandom& random) {
  const Colour leaves = leaf_colour(random);
  Builder bush(out, stand);
  for (int i = 0; i < 3; ++i) {
    // One draw a statement: compilers evaluate arguments in different orders.
    const double size = between(random, 0.4, 0.9);
    const double x = between(random, -0.7, 0.7);
    const double y = between(random, -0.4, 0.4);
    bush.add(Shape::ellipsoid, {Material::leaf, kVegetation, leaves, random()}, {x, y, 0.6 * size},
             {size, size, 0.9 * size});
  }
}

void add_hedge(Primitives& out, const Stand& stand, double length_m, CounterRandom& random) {
  const double height = between(random, 0.9, 1.7);
  Primitive& hedge =
      Builder(out, stand)
          .add(Shape::frustum, {Material::leaf, kVegetation, leaf_colour(random), random()},
               {0, 0, height / 2 - 0.1}, {length_m / 2, 0.4, height / 2 + 0.1});
  hedge.inset_side = 0.06;
}

void add_fence(Primitives& out, const Stand& stand, double length_m, CounterRandom& random) {
  const double height = between(random, 1.0, 1.5);
  const Colour colour =
      random.uniform() < 0.5 ? Colour(0.22F, 0.13F, 0.07F) : Colour(0.55F, 0.56F, 0.56F);
  Builder(out, stand)
      .add(Shape::frustum, {Material::fence, kFence, colour, random()}, {0, 0, height / 2 - 0.05},
           {length_m / 2, 0.025, height / 2 + 0.05});
}

void add_lamp(Primitives& out, const Stand& stand, CounterRandom& random) {
  const double height = between(random, 6.0, 7.5);
  const Look metal{Material::metal, kPole, Colour(0.30F, 0.33F, 0.32F), random()};
  Builder lamp(out, stand);
  lamp.add(Shape::post, metal, {0, 0, height / 2 - 0.2}, {0.075, 0.075, height / 2 + 0.2});
  lamp.add(Shape::frustum, metal, {0.7, 0, height}, {0.75, 0.03, 0.03});
  lamp.add(Shape::frustum, {Material::metal, kPole, Colour(0.65F, 0.65F, 0.6F), 0},
           {1.5, 0, height - 0.03}, {0.32, 0.13, 0.06});
}

void add_sign(Primitives& out, const Stand& stand, CounterRandom& random) {
  const bool blue = random.uniform() < 0.5;
  const Colour face = blue ? Colour(0.02F, 0.10F, 0.42F) : Colour(0.55F, 0.03F, 0.03F);
  Builder sign(out, stand);
  sign.add(Shape::post, {Material::metal, kPole, Colour(0.45F, 0.46F, 0.46F), 0}, {0, 0, 1.1},
           {0.035, 0.035, 1.3});
  sign.add(Shape::frustum, {Material::metal, kPole, face, 0}, {-0.05, 0, 2.35},
           {0.015, 0.30, 0.30});
  sign.add(Shape::frustum, {Material::metal, kPole, Colour(0.75F, 0.75F, 0.75F), 0},
           {-0.062, 0, 2.35}, {0.005, 0.17, 0.12});
}

void add_person(Primitives& out, const Stand& stand, CounterRandom& random) {
  const double scale = between(random, 0.92, 1.08);
  const Look trousers{Material::cloth, kPerson, pick(kClothColours, random), 0};
  const Look coat{Material::cloth, kPerson, pick(kClothColours, random), 0};
  Builder person(out, stand);
  for (const double side : {-0.10, 0.10}) {
    person.add(Shape::post, trousers, {side, side * 0.6, 0.42 * scale}, {0.08, 0.08, 0.42 * scale});
  }
  person.add(Shape::ellipsoid, coat, {0, 0, 1.12 * scale}, {0.17, 0.24, 0.40 * scale});
  for (const double side : {-0.25, 0.25}) {
    person.add(Shape::post, coat, {0, side, 1.08 * scale}, {0.055, 0.055, 0.32 * scale});
  }
  person.add(Shape::ellipsoid, {Material::skin, kPerson, Colour(0.45F, 0.28F, 0.20F), 0},
             {0, 0, 1.62 * scale}, {0.10, 0.09, 0.13});
}

void add_building(Primitives& out, const Stand& stand, double length_m, CounterRandom& random) {
  const int storeys = 2 + static_cast<int>(random.below(3));
  const double height = kStoreyM * storeys + 0.5;
  const double depth = between(random, 8, 11);
  const Look wall{Material::facade, kBuilding, pick(kFacadeColours, random), random()};
  const Look tiles{Material::roof, kBuilding, pick(kRoofColours, random), random()};
  Builder house(out, stand);
  // Local +x faces the street: the facade is the front face, at local x = 0.
  house.add(Shape::frustum, wall, {-depth / 2, 0, (height - kFoundationM) / 2},
            {depth / 2, length_m / 2, (height + kFoundationM) / 2});
  const double rise = between(random, 1.4, 2.2);
  Primitive& roof = house.add(Shape::frustum, tiles, {-depth / 2, 0, height + rise},
                              {depth / 2 + 0.45, length_m / 2 + 0.25, rise});
  roof.inset_front = depth / 2 + 0.40;
  roof.inset_rear = depth / 2 + 0.40;
  roof.inset_side = random.uniform() < 0.5 ? 0 : 2.5;
  house.add(Shape::frustum, {Material::roof, kBuilding, Colour(0.20F, 0.09F, 0.07F), 0},
            {-depth * 0.35, length_m * between(random, -0.3, 0.3), height + 1.9 * rise},
            {0.35, 0.45, 0.9});
}

}  // namespace roadplane::kitti::synthetic
