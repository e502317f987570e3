#include "roadplane/kernels/triple_kernel.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <vector>

#include "roadplane/base/counter_random.hpp"
#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "support/random_data.hpp"

namespace roadplane {
namespace {

TEST(TripleKernel, PlanesGoThroughTheirPointsWithTheSameBits) {
  Scan scan = random_scan(500, 3);
  for (std::size_t k = 0; k < 4; ++k) {  // on a line
    const auto t = static_cast<float>(k);
    scan[k] = {3 + t, 1 - t / 2, -2 + t / 4, 0};
  }
  HomogeneousCloud cloud;
  cloud.assign(scan);
  std::vector<std::uint32_t> column_of(scan.size());
  for (std::size_t j = 0; j < cloud.size(); ++j) {
    column_of[cloud.index()[j]] = static_cast<std::uint32_t>(j);
  }
  CounterRandom random(1, RandomUse::user);
  for (const std::size_t count : {1, 7, 8, 29, 32}) {
    std::vector<std::uint32_t> places;
    for (std::size_t k = 0; k < 3 * count; ++k) places.push_back(random.below(500));
    for (const std::size_t k : {0, 1, 2}) places[k] = column_of[k];
    const auto planes = [&](Isa isa) {
      Eigen::MatrixXd entries = Eigen::MatrixXd::Zero(32, 4);
      triple_kernel(isa)(cloud.groups(), places.data(), count, 32, entries.data());
      return Eigen::MatrixXd(entries.topRows(static_cast<Eigen::Index>(count)));
    };
    const Eigen::MatrixXd plain = planes(Isa::plain);
    for (const Isa isa : available_isas()) EXPECT_EQ(planes(isa), plain) << to_string(isa);
    EXPECT_TRUE(plain.row(0).isZero(0)) << "points on a line";
    for (std::size_t k = 1; k < count; ++k) {
      const Eigen::Vector4d w = plain.row(static_cast<Eigen::Index>(k)).normalized();
      for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(w.dot(cloud.column(places[3 * k + c])), 0, 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace roadplane
