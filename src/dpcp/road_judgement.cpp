#include "road_judgement.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "road_start.hpp"
#include "roadplane/kernels/robust_kernels.hpp"
#include "roadplane/network/gossip.hpp"
#include "sampling.hpp"

namespace roadplane {
namespace {

constexpr double kTolerance = 0.01;         // of the shares
constexpr std::size_t kOwnSample = 4096;    // groups of 16 points that weigh the plane,
constexpr std::size_t kSecondSample = 128;  // and that look for another
constexpr double kClearly = 2;              // scales beyond the plane

constexpr std::array<double, 8> kHeights{0, 0.3, 0.4, 0.5, 0.65, 0.8, 1.0, 1.2};  // [m]
constexpr double kSecondScale = 0.01;  // [sine] 10 cm at 10 m: a second plane need not be parallel

// A row of the gossip: the plane's support, what is beyond it, the support of the planes at these
// heights above it.
constexpr int kRaised = 2;
constexpr int kWidth = kRaised + kHeights.size();

KernelLoss loss_of_scale(double scale) {
  const auto squared = static_cast<float>(scale * scale);
  return {squared, squared};
}

void weigh(const HomogeneousCloud& shard, const Sampling& sampling, const Eigen::Vector4d& own,
           double scale_rad, double* row) {
  const Eigen::Vector4d w = towards_sensor(own);
  std::array<Eigen::Vector4d, kHeights.size()> raised;
  for (std::size_t k = 0; k < kHeights.size(); ++k) {
    raised[k] = w;
    raised[k](3) -= kHeights[k] * w.head<3>().norm();
    raised[k].normalize();
  }
  const RobustKernels& kernels = robust_kernels(active_isa(), RobustLoss("geman-mcclure"));
  const ThinnedBlocks many = sampling(shard, kOwnSample);
  kernels.support_and_beyond(many, w.data(), loss_of_scale(scale_rad),
                             static_cast<float>(kClearly * scale_rad), row);
  for (int k = 0; k < kRaised; ++k) row[k] *= static_cast<double>(many.stride);
  const ThinnedBlocks few = sampling(shard, kSecondSample);
  double sums[kHeights.size() + 1];  // the last is the sum of all weights
  kernels.near_support(few, raised[0].data(), kHeights.size(), loss_of_scale(kSecondScale), 0,
                       sums);
  for (std::size_t k = 0; k < kHeights.size(); ++k) {
    row[kRaised + k] = sums[k] * static_cast<double>(few.stride);
  }
}

/// A large plane above the road in one number, which grows with its support: per cent of the road's
/// support, and which of the heights; 0 if there is none.
double largest_raised(const double* support) {
  constexpr double kLarge = 0.5;  // of the road's support
  constexpr double kMost = 1e4;   // more says no more
  double largest = 0;
  for (std::size_t k = 1; k < kHeights.size(); ++k) {
    const double relative = support[k] / std::max(support[0], 1e-30);
    if (!(relative > kLarge)) continue;
    const double per_cent = std::floor(100 * std::min(relative, kMost));
    largest = std::max(largest, per_cent * kHeights.size() + static_cast<double>(k));
  }
  return largest;
}

}  // namespace

RoadJudgement judge_road(Channel& channel, std::span<const HomogeneousCloud> shards,
                         std::span<const Eigen::Vector4d> w, double scale_rad) {
  constexpr double kTooMany = 0.05;  // beyond, of the support: scatter leaves less than that
  std::vector<double> rows(shards.size() * kWidth);
  for (std::size_t i = 0; i < shards.size(); ++i) {
    weigh(shards[i], Sampling(channel, i), w[i], scale_rad, &rows[i * kWidth]);
  }
  gossip_average(channel, rows, kWidth, kTolerance, {.chebyshev = true, .single = true});

  // Nearly equal views are not equal: what any agent says against the search holds for all, and the
  // largest second plane that any of them names.
  RoadJudgement judgement;
  std::array<double, 2> named{};
  auto& [against, second] = named;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    const double* row = &rows[i * kWidth];
    judgement.views.push_back({std::max(row[0], 1e-30), std::max(row[1], 0.0)});
    const RoadJudgement::View& view = judgement.views[i];
    if (view.beyond <= kTooMany * view.support) against = 1;
    second = std::max(second, largest_raised(row + kRaised));
  }
  channel.flood_max(named);
  judgement.stands_above_points = against == 0;
  const auto plane = static_cast<std::size_t>(second);
  judgement.second_plane_m = kHeights[plane % kHeights.size()];
  judgement.second_plane_support = static_cast<double>(plane / kHeights.size()) / 100;
  return judgement;
}

bool agree_on_lower(Channel& channel, const JudgedPlane& upper,
                    std::span<const Eigen::Vector4d> start, const JudgedPlane& settled) {
  constexpr double kComparable = 0.6;  // the lower plane's support, of the upper's
  constexpr double kExplained = 0.5;   // of the points beyond the upper plane
  constexpr double kOwn = 0.5;         // moved from the start, of what it is away from the upper
  double against = 0;
  for (std::size_t i = 0; i < start.size(); ++i) {
    const RoadJudgement::View& above = upper.judgement.views[i];
    const RoadJudgement::View& below = settled.judgement.views[i];
    const double moved = (settled.w[i] - start[i]).norm();
    const bool prefer = below.support > kComparable * above.support &&
                        below.beyond < kExplained * above.beyond &&
                        moved < kOwn * (settled.w[i] - upper.w[i]).norm();
    against = std::max(against, prefer ? 0.0 : 1.0);
  }
  return channel.flood_max(against) == 0;
}

}  // namespace roadplane
