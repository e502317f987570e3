#include "roadplane/dpcp/spectrum.hpp"

#include <gtest/gtest.h>

#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "support/random_data.hpp"

namespace roadplane {
namespace {

using test::random_scan;

Spectrum spectrum_of(const Scan& scan) {
  HomogeneousCloud cloud;
  cloud.assign(scan);
  return {cloud.second_moment(), static_cast<double>(cloud.size())};
}

TEST(Spectrum, SaysWhyThereIsNoPlane) {
  EXPECT_EQ(spectrum_of({}).degeneracy(), "no usable point");
  EXPECT_EQ(spectrum_of({{0, 0, 0, 0}}).degeneracy(), "no usable point");
  EXPECT_EQ(spectrum_of({{1, 0, 0, 0}, {0, 1, 0, 0}}).degeneracy(), "fewer than 3 usable points");
  EXPECT_EQ(spectrum_of(Scan(50, Point{3, 4, -1.7F, 0})).degeneracy(), "all points are identical");
  Scan line;
  for (int k = 1; k < 50; ++k) {
    line.push_back({static_cast<float>(k), 2.0F * static_cast<float>(k), -1.5F, 0});
  }
  EXPECT_EQ(spectrum_of(line).degeneracy(), "all points are collinear");
  EXPECT_EQ(spectrum_of(random_scan(100, 7)).degeneracy(), "");
}

TEST(Spectrum, AnExactPlaneIsRecognisedAndGiven) {
  Scan plane = random_scan(500, 7);
  for (Point& p : plane) p.z = -1.5F;
  const Spectrum spectrum = spectrum_of(plane);
  EXPECT_EQ(spectrum.degeneracy(), "");
  EXPECT_TRUE(spectrum.exactly_planar());
  const Eigen::Vector4d expected = Eigen::Vector4d(0, 0, 1, 1.5).normalized();
  EXPECT_NEAR((spectrum.smallest() - expected).norm(), 0, 1e-6);
}

TEST(Spectrum, WhiteningMakesTheSecondMomentTheIdentity) {
  HomogeneousCloud cloud;
  cloud.assign(random_scan(1000, 7));
  const Eigen::Matrix4d moment = cloud.second_moment();
  const Spectrum spectrum(moment, 1000);
  EXPECT_FALSE(spectrum.exactly_planar());
  const Eigen::Matrix4d white = spectrum.whitening() * moment * spectrum.whitening();
  EXPECT_NEAR((white - Eigen::Matrix4d::Identity()).norm(), 0, 1e-10);
}

}  // namespace
}  // namespace roadplane
