#include "road_start.hpp"

#include <algorithm>
#include <cmath>

#include "roadplane/kernels/robust_kernels.hpp"
#include "roadplane/network/gossip.hpp"
#include "sampling.hpp"

namespace roadplane {
namespace {

using Planes = std::vector<Eigen::Vector4d>;

constexpr double kScoreTolerance = 0.05;    // scores need not be exact, just the same order
constexpr double kStartScale = 0.05;        // [sine] wide: a level plane must feel a sloping road
constexpr std::size_t kSampleGroups = 128;  // of 16 points each, over all agents

/// Planes facing the sensor at `count` heights between the prior's, each a constant factor apart.
void add_level_planes(const Eigen::Vector3d& up, int count, const RoadPrior& prior, Planes& all) {
  const double ratio = prior.max_height_m / prior.min_height_m;
  for (int k = 0; k < count; ++k) {
    Eigen::Vector4d w;
    w << up, prior.min_height_m * std::pow(ratio, (k + 0.5) / count);
    all.push_back(w.normalized());
  }
}

/// Support of each plane, less `blame` for the points beyond it, averaged over all agents' points:
/// one row of planes.size() per hosted agent. Every agent may have its own version of a plane, as
/// long as they nearly agree.
std::vector<double> agreed_support(Channel& channel, std::span<const HomogeneousCloud> shards,
                                   std::span<const Planes> planes, double scale, float blame) {
  const std::size_t count = planes[0].size();
  const auto width = static_cast<int>(count + 1);
  const auto squared = static_cast<float>(scale * scale);
  const RobustKernels& kernels = robust_kernels(active_isa(), RobustLoss("geman-mcclure"));
  std::vector<double> rows(shards.size() * width);
  for (std::size_t i = 0; i < shards.size(); ++i) {
    const ThinnedBlocks sample = Sampling(channel, i)(shards[i], kSampleGroups);
    double* row = &rows[i * width];
    kernels.near_support(sample, planes[i][0].data(), count, {squared, squared}, blame, row);
    for (int k = 0; k < width; ++k) row[k] *= static_cast<double>(sample.stride);
  }
  gossip_average(channel, rows, width, kScoreTolerance, {.chebyshev = true, .single = true});
  std::vector<double> support;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    const double* row = &rows[i * width];
    for (std::size_t k = 0; k < count; ++k) support.push_back(row[k] / std::max(row[count], 1e-30));
  }
  return support;
}

struct Best {
  int index = 0;
  double support = 0;
};

}  // namespace

RoadStart choose_start(Channel& channel, std::span<const HomogeneousCloud> shards,
                       std::span<const Spectrum> views, const RoadPrior& prior) {
  constexpr int kLevels = 8;
  constexpr int kSideways = 4;
  Planes shared;
  add_level_planes(Eigen::Vector3d::UnitZ(), kLevels, prior, shared);
  add_level_planes(-Eigen::Vector3d::UnitZ(), kSideways, prior, shared);
  for (const Eigen::Vector3d axis : {Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitY()}) {
    add_level_planes(axis, kSideways, prior, shared);
    add_level_planes(-axis, kSideways, prior, shared);
  }
  std::vector<Planes> planes(shards.size(), shared);
  for (std::size_t i = 0; i < shards.size(); ++i) {
    planes[i].push_back(towards_sensor(views[i].smallest()));
  }
  const auto count = static_cast<int>(planes[0].size());
  const std::vector<double> support = agreed_support(channel, shards, planes, kStartScale, 1);

  // Every agent has its own, nearly equal view; the largest number named wins, so that all start
  // from the same candidate. The second bit says whether the prior made the difference.
  double choice = 0;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    Best inside;
    Best outside;
    for (int k = 0; k < count; ++k) {
      const double s = support[i * count + k];
      Best& best = prior.admits(planes[i][k]) ? inside : outside;
      if (s > best.support) best = {k, s};
    }
    const bool believe = outside.support > prior.odds * inside.support;
    const int index = believe ? outside.index : inside.index;
    const bool applied = !believe && outside.support > inside.support;
    choice = std::max(choice, 2.0 * index + (applied ? 1 : 0));
  }
  const int agreed = static_cast<int>(channel.flood_max(choice));
  RoadStart start;
  start.prior_applied = agreed % 2 == 1;
  for (const Planes& own : planes) start.w.push_back(own[agreed / 2]);
  return start;
}

}  // namespace roadplane
