#include <cmath>

#include "fuzz.hpp"
#include "plane_file.hpp"

// Any text of a plane file: a unit hyperplane, or none.
void roadplane::fuzz(std::span<const std::byte> content) {
  const auto w = kitti::decode_plane(as_text(content), "000000", "fuzz");
  require(!w || (w->allFinite() && std::abs(w->norm() - 1) < 1e-9));
}
