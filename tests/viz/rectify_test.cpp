#include "roadplane/viz/rectify.hpp"

#include <gtest/gtest.h>

namespace roadplane::test {
namespace {

RgbImage ramp(int width, int height) {
  RgbImage image{width, height, {}};
  for (int v = 0; v < height; ++v) {
    for (int u = 0; u < width; ++u) {
      image.rgb.insert(image.rgb.end(),
                       {static_cast<std::uint8_t>(4 * u), static_cast<std::uint8_t>(3 * v), 100});
    }
  }
  return image;
}

Lens plain_lens() {
  Lens lens;
  lens.k << 50, 0, 20, 0, 50, 15, 0, 0, 1;
  lens.rectified_k = lens.k;
  return lens;
}

TEST(Rectify, WithoutDistortionNothingChanges) {
  const RgbImage image = ramp(41, 31);
  EXPECT_EQ(viz::rectified(image, plain_lens()).rgb, image.rgb);
}

TEST(Rectify, APixelIsTakenFromWhereTheLensHasPutIt) {
  const RgbImage image = ramp(41, 31);
  Lens lens = plain_lens();
  lens.d[0] = -0.3;
  const RgbImage result = viz::rectified(image, lens);
  // u = 30: x = 0.2, moved to 0.2 (1 - 0.3 * 0.04) = 0.1976, pixel 29.88.
  EXPECT_EQ(result.pixel(30, 15)[0], 120);  // 4 * 29.88 = 119.52
  EXPECT_EQ(result.pixel(30, 15)[1], 45);
  EXPECT_EQ(result.pixel(20, 15)[0], 80);
  lens.d[0] = 5;  // nothing is seen of the corners
  EXPECT_EQ(viz::rectified(image, lens).pixel(0, 0)[2], 0);
}

}  // namespace
}  // namespace roadplane::test
