#include "roadplane/base/parallel_for.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace roadplane {
namespace {

TEST(ParallelFor, DoesEveryJobOnceAndPassesOnAnException) {
  for (const int threads : {1, 3}) {
    std::vector<std::atomic<int>> done(50);
    parallel_for(threads, done.size(), [&](std::size_t i) { ++done[i]; });
    for (const auto& count : done) EXPECT_EQ(count, 1);
    EXPECT_THROW(parallel_for(threads, 10,
                              [](std::size_t i) {
                                if (i == 4) throw std::runtime_error("four");
                              }),
                 std::runtime_error);
  }
  parallel_for(2, 0, [](std::size_t) { FAIL(); });
}

}  // namespace
}  // namespace roadplane
