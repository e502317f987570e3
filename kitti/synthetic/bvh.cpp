#include "bvh.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>

namespace roadplane::kitti::synthetic {
namespace {

constexpr std::uint32_t kLeafSize = 3;
constexpr std::size_t kStackSize = 64;

void grow(Bounds& box, const Bounds& other) {
  for (std::size_t a = 0; a < 3; ++a) {
    box.low[a] = std::min(box.low[a], other.low[a]);
    box.high[a] = std::max(box.high[a], other.high[a]);
  }
}

double half_area(const Bounds& box) {
  const double x = box.high[0] - box.low[0];
  const double y = box.high[1] - box.low[1];
  const double z = box.high[2] - box.low[2];
  return x * y + y * z + z * x;
}

using Order = std::vector<std::uint32_t>;

void sort_along(std::size_t axis, const std::vector<Bounds>& bounds, Order::iterator begin,
                Order::iterator end) {
  const auto centre = [&](std::uint32_t i) { return bounds[i].low[axis] + bounds[i].high[axis]; };
  // Ties broken by the index, so that the tree does not depend on the library's sort.
  std::sort(begin, end, [&](std::uint32_t a, std::uint32_t b) {
    return centre(a) < centre(b) || (centre(a) == centre(b) && a < b);
  });
}

struct Split {
  std::size_t axis = 0;
  std::size_t first_half = 0;  ///< how many go to the first child
  double cost = std::numeric_limits<double>::infinity();
};

/// The surface-area heuristic: a child costs its number of solids times the chance that a ray which
/// meets the parent meets it.
void try_axis(std::size_t axis, const std::vector<Bounds>& bounds, Order::iterator begin,
              Order::iterator end, Split& best) {
  sort_along(axis, bounds, begin, end);
  const auto count = static_cast<std::size_t>(end - begin);
  std::vector<double> after(count);
  Bounds box = bounds[*(end - 1)];
  for (std::size_t i = count; i-- > 0;) {
    grow(box, bounds[begin[static_cast<std::ptrdiff_t>(i)]]);
    after[i] = half_area(box);
  }
  box = bounds[*begin];
  for (std::size_t i = 1; i < count; ++i) {
    grow(box, bounds[begin[static_cast<std::ptrdiff_t>(i - 1)]]);
    const double cost =
        half_area(box) * static_cast<double>(i) + after[i] * static_cast<double>(count - i);
    if (cost < best.cost) best = {axis, i, cost};
  }
}

}  // namespace

Bvh::Bvh(std::vector<Primitive> primitives) {
  if (primitives.empty()) return;
  std::vector<Bounds> bounds;
  bounds.reserve(primitives.size());
  for (const auto& p : primitives) bounds.push_back(bounds_of(p));
  std::vector<std::uint32_t> order(primitives.size());
  std::iota(order.begin(), order.end(), 0U);
  nodes_.reserve(primitives.size());
  build(order, bounds, 0, static_cast<std::uint32_t>(order.size()));
  primitives_.reserve(primitives.size());
  for (const std::uint32_t i : order) primitives_.push_back(primitives[i]);
}

void Bvh::build(std::vector<std::uint32_t>& order, const std::vector<Bounds>& bounds,
                std::uint32_t begin, std::uint32_t end) {
  const std::size_t self = nodes_.size();
  nodes_.emplace_back();
  Bounds box = bounds[order[begin]];
  for (std::uint32_t i = begin; i < end; ++i) grow(box, bounds[order[i]]);
  std::copy(box.low.begin(), box.low.end(), nodes_[self].planes.begin());
  std::copy(box.high.begin(), box.high.end(), nodes_[self].planes.begin() + 3);
  if (end - begin <= kLeafSize) {
    nodes_[self].first = begin;
    nodes_[self].count = static_cast<std::uint16_t>(end - begin);
    return;
  }
  const auto from = order.begin() + begin;
  const auto to = order.begin() + end;
  Split split;
  for (std::size_t axis = 0; axis < 3; ++axis) try_axis(axis, bounds, from, to, split);
  sort_along(split.axis, bounds, from, to);
  const std::uint32_t middle = begin + static_cast<std::uint32_t>(split.first_half);
  nodes_[self].axis = static_cast<std::uint16_t>(split.axis);
  build(order, bounds, begin, middle);
  nodes_[self].first = static_cast<std::uint32_t>(nodes_.size());
  build(order, bounds, middle, end);
}

template <class Visit>
void Bvh::traverse(const Ray& ray, const double& limit, Visit visit) const {
  if (nodes_.empty()) return;
  std::array<double, 3> origin{};
  std::array<double, 3> inverse{};
  std::array<std::size_t, 3> entry{};  // which of the six planes the ray crosses first
  std::array<std::size_t, 3> exit{};
  for (std::size_t a = 0; a < 3; ++a) {
    origin[a] = ray.origin[static_cast<Eigen::Index>(a)];
    const double d = ray.direction[static_cast<Eigen::Index>(a)];
    inverse[a] = d != 0 ? 1 / d : std::numeric_limits<double>::max();
    entry[a] = d < 0 ? a + 3 : a;
    exit[a] = d < 0 ? a : a + 3;
  }
  std::array<std::uint32_t, kStackSize> stack{};
  std::size_t depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const std::uint32_t index = stack[--depth];
    const Node& node = nodes_[index];
    double enter = 0;
    double leave = limit;
    for (std::size_t a = 0; a < 3; ++a) {
      enter = std::max(enter, (node.planes[entry[a]] - origin[a]) * inverse[a]);
      leave = std::min(leave, (node.planes[exit[a]] - origin[a]) * inverse[a]);
    }
    if (enter > leave) continue;
    if (node.count == 0) {
      const bool forwards = inverse[node.axis] > 0;
      stack[depth++] = forwards ? node.first : index + 1;
      stack[depth++] = forwards ? index + 1 : node.first;
      continue;
    }
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      if (visit(primitives_[i])) return;
    }
  }
}

const Primitive* Bvh::nearest(const Ray& ray, double limit, PrimitiveHit& hit) const {
  const Primitive* found = nullptr;
  traverse(ray, limit, [&](const Primitive& p) {
    if (intersect(p, ray, limit, hit)) {
      found = &p;
      limit = hit.t;
    }
    return false;
  });
  return found;
}

bool Bvh::blocked(const Ray& ray, double limit) const {
  bool found = false;
  traverse(ray, limit, [&](const Primitive& p) {
    PrimitiveHit hit;
    found = intersect(p, ray, limit, hit);
    return found;
  });
  return found;
}

}  // namespace roadplane::kitti::synthetic
