// No heap allocation inside the iteration loop: every allocation of this program is counted.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>

#include "roadplane/objective/cloud_objective.hpp"
#include "roadplane/objective/dense_objective.hpp"
#include "roadplane/objective/l3_loss.hpp"
#include "roadplane/objective/robust_objective.hpp"
#include "roadplane/solver/registry.hpp"
#include "support/pca_loss.hpp"
#include "support/random_data.hpp"

namespace {

std::atomic<long> allocations{0};

}  // namespace

// The linker sends every malloc of the program here (-Wl,--wrap=malloc); Eigen's go that way. The
// ones of operator new come from the replacements below.
extern "C" {
void* __real_malloc(std::size_t size);
void* __wrap_malloc(std::size_t size) {
  ++allocations;
  return __real_malloc(size);
}
}

// GCC does not see that both sides of the pair are replaced.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::aligned_alloc(64, (size + 63) / 64 * 64)) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t) { return operator new(size); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace roadplane {
namespace {

constexpr int kAgents = 4;

template <int N, int P, class Make>
std::vector<std::unique_ptr<Objective<N, P>>> objectives(const Make& make) {
  std::vector<std::unique_ptr<Objective<N, P>>> all;
  for (int i = 0; i < kAgents; ++i) all.push_back(make(i));
  return all;
}

template <int N, int P>
long allocations_in_loop(auto options, std::optional<Wire> wire, Objectives<N, P> all,
                         const Eigen::Matrix<double, N, P>& start) {
  Network network(Graph::ring(kAgents));
  network.wire = wire;
  LocalChannel channel(network);
  options.gossip = {2, true};
  options.step = 0.01;
  typename decltype(options)::template Method<N, P> method(channel, all,
                                                           std::vector(kAgents, start), options);
  method.iterate(1);
  const long before = allocations;
  for (int k = 2; k <= 200; ++k) method.iterate(k);
  return allocations - before;
}

/// Of all solvers but those that decompose a matrix of any size in an iteration.
template <int N, int P>
void expect_none(Objectives<N, P> all, const Eigen::Matrix<double, N, P>& start) {
  for (const std::string_view name : solver_names()) {
    if (name == GossipIrlsOptions::kName || name == GossipNewtonOptions::kName) continue;
    for (const auto& wire : {std::optional<Wire>(), std::optional(Wire::half),
                             std::optional(Wire::few(8)), std::optional(Wire::single)}) {
      std::visit(
          [&](const auto& options) {
            EXPECT_EQ((allocations_in_loop<N, P>(options, wire, all, start)), 0) << name;
          },
          *solver_by_name(name));
    }
  }
}

TEST(Allocation, TheCounterCounts) {
  const long before = allocations;
  const auto number = std::make_unique<int>(3);
  const Eigen::MatrixXd matrix = Eigen::MatrixXd::Constant(30, 30, *number);
  EXPECT_EQ(matrix(3, 3), 3);
  EXPECT_GE(allocations - before, 2);
}

TEST(Allocation, NoneInTheLoopOnDenseData) {
  using Dynamic = Objective<Eigen::Dynamic, Eigen::Dynamic>;
  const auto all = objectives<Eigen::Dynamic, Eigen::Dynamic>([](int i) {
    return std::unique_ptr<Dynamic>(
        std::make_unique<DenseObjective<PcaLoss>>(test::random_matrix(200, 40, i)));
  });
  expect_none<Eigen::Dynamic, Eigen::Dynamic>(all, Eigen::MatrixXd::Identity(200, 10));
}

TEST(Allocation, NoneInTheLoopOnClouds) {
  std::vector<HomogeneousCloud> clouds(kAgents);
  for (int i = 0; i < kAgents; ++i) clouds[i].assign(test::random_scan(200, i));
  const Eigen::Vector4d start = Eigen::Vector4d(0.1, 0.2, 1, 1.7).normalized();
  const auto l3 = objectives<4, 1>([&](int i) {
    return std::unique_ptr<Objective<4, 1>>(std::make_unique<CloudObjective<L3Loss, 1>>(clouds[i]));
  });
  expect_none<4, 1>(l3, start);
  const auto robust = objectives<4, 1>([&](int i) {
    return std::unique_ptr<Objective<4, 1>>(std::make_unique<RobustObjective>(
        clouds[i], Eigen::Matrix4d::Identity(), Window{.above = {}, .below = {}, .near_m = 5},
        RobustObjective::Scale{}));
  });
  expect_none<4, 1>(robust, start);
}

}  // namespace
}  // namespace roadplane
