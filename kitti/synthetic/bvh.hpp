#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "primitive.hpp"

namespace roadplane::kitti::synthetic {

/// Bounding-volume hierarchy over the solids of one frame.
class Bvh {
 public:
  explicit Bvh(std::vector<Primitive> primitives);

  const std::vector<Primitive>& primitives() const { return primitives_; }

  /// The nearest hit before `limit`; null if there is none.
  const Primitive* nearest(const Ray& ray, double limit, PrimitiveHit& hit) const;

  /// Whether anything stands between the origin and `limit`.
  bool blocked(const Ray& ray, double limit) const;

 private:
  struct Node {
    std::array<double, 6> planes;  ///< low x y z, high x y z
    std::uint32_t first = 0;       ///< of a leaf: its first primitive; else the second child
    std::uint16_t count = 0;       ///< 0 for an inner node, whose first child is the next node
    std::uint16_t axis = 0;        ///< along which the children are ordered
  };

  void build(std::vector<std::uint32_t>& order, const std::vector<Bounds>& bounds,
             std::uint32_t begin, std::uint32_t end);

  template <class Visit>
  void traverse(const Ray& ray, const double& limit, Visit visit) const;

  std::vector<Node> nodes_;
  std::vector<Primitive> primitives_;  ///< in the order of the leaves
};

}  // namespace roadplane::kitti::synthetic
