#include "street.hpp"

#include <cmath>
#include <numbers>

namespace roadplane::kitti::synthetic {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kLotM = 20;
constexpr double kSlotM = kLotM / 3;     // three parked cars to a lot
constexpr double kOncomingGapM = 58;     // between oncoming cars, on average
constexpr double kOncomingSpeed = -8.5;  // [m/s]

// Agents of the counter-based generator; the LiDAR's rings use 1000 and above.
enum Purpose : std::uint32_t {
  kRightLot = 1,
  kLeftLot,
  kRightCars,
  kLeftCars,
  kOncoming,
  kLead,
  kFleet
};

bool on_crosswalk(double x, double margin) {
  const double along = (x - kCrosswalkStartM) -
                       kCrosswalkPeriodM * std::floor((x - kCrosswalkStartM) / kCrosswalkPeriodM);
  return along < kCrosswalkLengthM + margin || along > kCrosswalkPeriodM - margin;
}

constexpr double kOwnM = 1;  // nearer than that is the vehicle itself

void put_on(const Ground& ground, Primitives& solids) {
  for (Primitive& p : solids) p.centre.z() += ground.relief().at(p.centre.x(), p.centre.y()).z_m;
}

}  // namespace

Street::Street(const SceneOptions& options, const StreetLayout& layout)
    : options_(options), layout_(layout), ground_(layout, options) {}

CounterRandom Street::stream(std::uint32_t purpose, std::int64_t index) const {
  // Shifted so that lots behind the start have a number too.
  return {options_.seed, RandomUse::scene, purpose, static_cast<std::uint64_t>(index + (1 << 20))};
}

Primitives Street::along(double ego_x, double behind_m, double ahead_m) const {
  Primitives out;
  const auto first = static_cast<std::int64_t>(std::floor((ego_x - behind_m) / kLotM));
  const auto last = static_cast<std::int64_t>(std::floor((ego_x + ahead_m) / kLotM));
  for (std::int64_t index = first; index <= last; ++index) {
    for (const bool left : {false, true}) {
      add_lot(out, left, index, ego_x);
      add_parked_cars(out, left, index, ego_x);
    }
  }
  return out;
}

Primitives Street::around(double ego_x, double time_s, double behind_m, double ahead_m) const {
  Primitives out = along(ego_x, behind_m, ahead_m);
  add_traffic(out, ego_x, time_s, behind_m, ahead_m);
  put_on(this->ground(ego_x), out);
  return out;
}

Primitives Street::among(std::span<const Stand> vehicles, double ego_x, double lane_y,
                         double behind_m, double ahead_m) const {
  Primitives out = along(ego_x, behind_m, ahead_m);
  for (std::size_t k = 0; k < vehicles.size(); ++k) {
    CounterRandom random = stream(kFleet, static_cast<std::int64_t>(k));
    Stand stand = vehicles[k];
    stand.x -= ego_x;
    const bool own = std::abs(stand.x) < kOwnM && std::abs(stand.y - lane_y) < kOwnM;
    if (!own && stand.x > -behind_m && stand.x < ahead_m) add_car(out, stand, true, random);
  }
  put_on(ground(ego_x, lane_y), out);
  return out;
}

void Street::add_lot(Primitives& out, bool left, std::int64_t index, double ego_x) const {
  CounterRandom random = stream(left ? kLeftLot : kRightLot, index);
  const double x = static_cast<double>(index) * kLotM - ego_x;
  const double sign = left ? 1 : -1;
  const double garden = ground_.garden_y(left);
  if (random.uniform() < 0.88) {
    const double length = 11 + 7.5 * random.uniform();
    const double middle = x + length / 2 + (kLotM - length) * random.uniform();
    const double y = garden + sign * (2.0 + 3.5 * random.uniform());
    add_building(out, {middle, y, ground_.section_m(y), -sign * kPi / 2}, length, random);
  } else {
    for (int i = 0; i < 3; ++i) {
      const double y = garden + sign * (4 + 8 * random.uniform());
      add_tree(out, {x + kLotM * random.uniform(), y, ground_.section_m(y), 0}, random);
    }
  }
  add_frontage(out, left, x, random);
  // Kerbside: what stands between the road and the walkers.
  const double kerb = sign * (layout_.half_width_m + 0.75);
  const double z = ground_.section_m(kerb);
  if (random.uniform() < 0.25 + 0.6 * layout_.clutter) {
    add_tree(out, {x + 3 + 6 * random.uniform(), kerb, z, 0}, random);
  }
  if ((index % 2 == 0) == left) add_lamp(out, {x + 13, kerb, z, -sign * kPi / 2}, random);
  if (random.uniform() < 0.15) {
    add_sign(out, {x + 16.5, kerb, z, left ? kPi : 0}, random);
  }
  if (random.uniform() < 0.35 * layout_.clutter) {
    const double y = sign * (layout_.half_width_m + 1.2 + 1.0 * random.uniform());
    add_person(out, {x + kLotM * random.uniform(), y, ground_.section_m(y), 6 * random.uniform()},
               random);
  }
}

void Street::add_frontage(Primitives& out, bool left, double x, CounterRandom& random) const {
  const double sign = left ? 1 : -1;
  const double edge = ground_.garden_y(left) + sign * 0.45;
  const double z = ground_.section_m(edge);
  const double kind = random.uniform();
  const double length = 6 + 8 * random.uniform();
  const double hedges = 0.15 + 0.35 * layout_.clutter;
  if (kind < hedges) {
    add_hedge(out, {x + 1 + length / 2, edge, z, 0}, length, random);
  } else if (kind < hedges + 0.3) {
    add_fence(out, {x + 1 + length / 2, edge, z, 0}, length, random);
  }
  const auto bushes = random.below(1 + static_cast<std::uint32_t>(3 * layout_.clutter));
  for (std::uint32_t i = 0; i < bushes; ++i) {
    const double y = edge + sign * 1.1;
    add_bush(out, {x + kLotM * random.uniform(), y, ground_.section_m(y), 0}, random);
  }
}

void Street::add_parked_cars(Primitives& out, bool left, std::int64_t index, double ego_x) const {
  // Cars before the platform would hide the very plane that was asked for.
  const bool before_platform = !left && layout_.platform_width_m > 0;
  if (layout_.strip_width_m() == 0 || before_platform) return;
  CounterRandom random = stream(left ? kLeftCars : kRightCars, index);
  const double sign = left ? 1 : -1;
  for (int slot = 0; slot < 3; ++slot) {
    const double along =
        static_cast<double>(index) * kLotM + kSlotM * (slot + 0.5) + 0.7 * (random.uniform() - 0.5);
    const bool taken = random.uniform() < 0.12 + 0.75 * layout_.clutter;
    const double y = sign * (layout_.half_width_m - 1.05 - 0.08 * random.uniform());
    const double turn = 0.035 * (random.uniform() - 0.5) + (left ? kPi : 0);
    if (!taken || on_crosswalk(along, 4) || (options_.driveways && on_driveway(along, left)))
      continue;
    add_car(out, {along - ego_x, y, 0, turn}, false, random);
  }
}

void Street::add_traffic(Primitives& out, double ego_x, double time_s, double behind_m,
                         double ahead_m) const {
  // Oncoming cars keep their mutual distance; car j passes the start of the street at its own time.
  const double drift = kOncomingSpeed * time_s;
  const auto first =
      static_cast<std::int64_t>(std::floor((ego_x - behind_m - drift) / kOncomingGapM));
  const auto last =
      static_cast<std::int64_t>(std::floor((ego_x + ahead_m - drift) / kOncomingGapM));
  for (std::int64_t j = first; j <= last; ++j) {
    CounterRandom random = stream(kOncoming, j);
    const double x =
        kOncomingGapM * (static_cast<double>(j) + 0.6 * random.uniform()) + drift - ego_x;
    const bool present = random.uniform() < 0.25 + layout_.clutter;
    if (present) add_car(out, {x, 1.7 + 0.2 * random.uniform(), 0, kPi}, true, random);
  }
  CounterRandom random = stream(kLead, 0);
  const double phase = 6 * random.uniform();
  const double swing = std::sin(0.5 * time_s + phase);
  add_car(out, {27 + 3 * swing, kEgoLaneY + 0.15, 0, 0}, true, random);
  add_car(out, {-15 - 2 * swing, kEgoLaneY - 0.1, 0, 0}, true, random);
}

}  // namespace roadplane::kitti::synthetic
