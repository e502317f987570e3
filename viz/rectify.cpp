#include "roadplane/viz/rectify.hpp"

#include <algorithm>
#include <cmath>

namespace roadplane::viz {

RgbImage rectified(const RgbImage& picture, const Lens& lens) {
  RgbImage result{picture.width, picture.height, {}};
  result.rgb.resize(picture.rgb.size());
  const Eigen::Matrix3d to_ray = lens.to_ray();
  std::uint8_t* out = result.rgb.data();
  for (int v = 0; v < picture.height; ++v) {
    for (int u = 0; u < picture.width; ++u, out += 3) {
      const Eigen::Vector2d from = lens.pixel_of(to_ray * Eigen::Vector3d(u, v, 1));
      const bool inside = from.x() >= 0 && from.y() >= 0 && from.x() <= picture.width - 1 &&
                          from.y() <= picture.height - 1;
      if (!inside) continue;
      const int x = std::min(static_cast<int>(from.x()), std::max(picture.width - 2, 0));
      const int y = std::min(static_cast<int>(from.y()), std::max(picture.height - 2, 0));
      const int right = std::min(x + 1, picture.width - 1);
      const int below = std::min(y + 1, picture.height - 1);
      const double a = from.x() - x;
      const double b = from.y() - y;
      for (int c = 0; c < 3; ++c) {
        const double upper = (1 - a) * picture.pixel(x, y)[c] + a * picture.pixel(right, y)[c];
        const double lower =
            (1 - a) * picture.pixel(x, below)[c] + a * picture.pixel(right, below)[c];
        out[c] = static_cast<std::uint8_t>(std::lround((1 - b) * upper + b * lower));
      }
    }
  }
  return result;
}

}  // namespace roadplane::viz
