#include "roadplane/geometry/point_rows.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "support/random_data.hpp"

namespace roadplane {
namespace {

/// A scan as rows of so many floats that end where memory does.
class RowsAtTheEnd {
 public:
  RowsAtTheEnd(const Scan& scan, std::size_t columns) : count_(scan.size()), columns_(columns) {
    constexpr std::size_t kPage = 4096;
    const std::size_t bytes = count_ * columns_ * sizeof(float);
    const std::size_t pages = (bytes + kPage - 1) / kPage * kPage;
    size_ = pages + kPage;
    memory_ = static_cast<char*>(
        ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ::mprotect(memory_ + pages, kPage, PROT_NONE);
    first_ = reinterpret_cast<float*>(memory_ + pages - bytes);
    for (std::size_t k = 0; k < count_; ++k) {
      std::memcpy(first_ + k * columns_, &scan[k].x, 3 * sizeof(float));
    }
  }
  RowsAtTheEnd(const RowsAtTheEnd&) = delete;
  RowsAtTheEnd& operator=(const RowsAtTheEnd&) = delete;
  ~RowsAtTheEnd() { ::munmap(memory_, size_); }

  PointRows forwards() const { return {first_, count_, columns_, stride()}; }
  PointRows backwards() const {
    return {first_ + (count_ - 1) * columns_, count_, columns_, -stride()};
  }

 private:
  std::ptrdiff_t stride() const { return static_cast<std::ptrdiff_t>(columns_); }

  std::size_t count_, columns_, size_ = 0;
  char* memory_ = nullptr;
  float* first_ = nullptr;
};

void expect_same(const PointRows& rows, const Scan& scan) {
  ASSERT_EQ(rows.size(), scan.size());
  const Shards shards = make_shards(rows, ShardKind::azimuth, 7);
  EXPECT_EQ(shards.order, make_shards(scan, ShardKind::azimuth, 7).order);
  HomogeneousCloud cloud;
  HomogeneousCloud expected;
  for (const std::size_t most : {HomogeneousCloud::kAll, std::size_t{100}}) {
    cloud.assign(rows, shards[3], {most});
    expected.assign(scan, shards[3], {most});
    ASSERT_EQ(cloud.size(), expected.size());
    const std::size_t floats = cloud.group_count() * HomogeneousCloud::kGroupFloats;
    EXPECT_TRUE(std::equal(cloud.groups(), cloud.groups() + floats, expected.groups()));
    cloud.assign(rows, {most});
    expected.assign(scan, {most});
    EXPECT_EQ(cloud.second_moment(), expected.second_moment());
  }
}

TEST(PointRows, AreTheSamePointsHoweverTheyLie) {
  for (const std::size_t count : {1U, 8U, 1003U}) {
    Scan scan = test::random_scan(count, 7);
    if (count > 800) {
      scan[500].x = NAN;
      scan[777] = {};
    }
    Scan reversed(scan.rbegin(), scan.rend());
    for (const std::size_t columns : {3U, 4U, 5U, 9U}) {
      const RowsAtTheEnd rows(scan, columns);
      expect_same(rows.forwards(), scan);
      expect_same(rows.backwards(), reversed);
    }
  }
}

TEST(PointRows, MayBeNone) {
  const float none = 0;
  EXPECT_TRUE(PointRows().empty());
  EXPECT_TRUE(PointRows(Scan()).empty());
  EXPECT_TRUE(PointRows(&none, 0, 3, 3).empty());
  EXPECT_TRUE(make_shards(PointRows(&none, 0, 3, 3), ShardKind::azimuth, 2).order.empty());
}

}  // namespace
}  // namespace roadplane
