#include "roadplane/base/recycled.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

namespace roadplane {
namespace {

TEST(RecycledVector, TheNextFrameGetsTheMemoryOfTheLast) {
  constexpr std::size_t kCount = 100'000;
  const void* before = RecycledVector<float>(kCount).data();
  // A little smaller, as the next scan may be.
  EXPECT_EQ(RecycledVector<float>(kCount - 100).data(), before);
  EXPECT_EQ(RecycledVector<std::uint32_t>(kCount - 10).data(), before);
}

TEST(RecycledVector, SmallOnesAreKeptBySize) {
  for (const std::size_t count : {1UL, 64UL, 65UL, 1000UL, 3000UL, 32'767UL, 40'000UL, 65'535UL}) {
    const void* before = RecycledVector<char>(count).data();
    const RecycledVector<char> other(4 * (count + 64), 'o');  // of another size
    RecycledVector<char> next(count, 'n');
    EXPECT_EQ(next.data(), before) << count;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(before) % 64, 0U);
    EXPECT_TRUE(std::all_of(other.begin(), other.end(), [](char c) { return c == 'o'; }));
  }
}

TEST(RecycledVector, NoMoreSmallOnesAreKeptThanAShelfHolds) {
  std::vector<RecycledVector<int>> many(100, RecycledVector<int>(500, 7));
  for (const auto& some : many) ASSERT_EQ(some[499], 7);
  many.clear();  // the sanitizer sees those that are neither kept nor freed
  EXPECT_EQ(RecycledVector<int>(500, 8)[499], 8);
}

TEST(RecycledVector, WritesNothingThatNobodyAskedFor) {
  constexpr std::size_t kCount = 100'000;
  { const RecycledVector<float> full(kCount, 7.0F); }
  const RecycledVector<float> next(kCount);
  EXPECT_EQ(std::accumulate(next.begin(), next.end(), 0.0F), 7.0F * kCount);
}

TEST(RecycledVector, HoldsWhatItWasGiven) {
  RecycledVector<float> some(100'000, 0.0F);
  EXPECT_EQ(std::accumulate(some.begin(), some.end(), 0.0F), 0.0F);
  some.resize(200'000, 1.0F);
  EXPECT_EQ(std::accumulate(some.begin(), some.end(), 0.0F), 100'000.0F);
}

TEST(RecycledVector, TwoThatLiveAtOnceShareNothing) {
  constexpr std::size_t kCount = 100'000;
  { const RecycledVector<int> a(kCount), b(kCount); }
  const RecycledVector<int> a(kCount, 1);
  const RecycledVector<int> b(kCount, 2);
  EXPECT_EQ(std::accumulate(a.begin(), a.end(), 0), static_cast<int>(kCount));
  EXPECT_EQ(std::accumulate(b.begin(), b.end(), 0), static_cast<int>(2 * kCount));
}

TEST(RecycledVector, WhatAnotherThreadMadeCanBeGivenBackHere) {
  RecycledVector<int> made;
  std::thread([&made] { made.assign(1'000'000, 3); }).join();
  EXPECT_EQ(made[999'999], 3);
  made = {};
  EXPECT_EQ(RecycledVector<int>(1'000'000, 4).front(), 4);
}

TEST(RecycledVector, GrowsAndHoldsAnySize) {
  RecycledVector<std::size_t> grown;
  for (std::size_t k = 0; k < 300'000; ++k) grown.push_back(k);
  for (std::size_t k = 0; k < grown.size(); ++k) ASSERT_EQ(grown[k], k);
  for (const std::size_t count : {0UL, 1UL, 8191UL, 8192UL, 8193UL, 131'073UL, 20'000'000UL}) {
    const RecycledVector<char> some(count, 'x');
    EXPECT_EQ(some.size(), count);
    EXPECT_TRUE(count == 0 || some.back() == 'x');
  }
}

}  // namespace
}  // namespace roadplane
