#include "roadplane/solver/dpcp.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>

#include "roadplane/network/gossip.hpp"
#include "roadplane/objective/cloud_objective.hpp"
#include "roadplane/objective/l3_loss.hpp"

namespace roadplane {
namespace {

constexpr int kMomentWidth = 11;  // the lower triangle of a 4 x 4 matrix, and the point count

void pack(const HomogeneousCloud& shard, double* row) {
  const double count = static_cast<double>(shard.size());
  const Eigen::Matrix4d sum = count * shard.second_moment();
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c <= r; ++c) *row++ = sum(r, c);
  }
  *row = count;
}

Spectrum unpack(const double* row, int agents) {
  const double mean_count = row[kMomentWidth - 1];
  Eigen::Matrix4d moment;
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c <= r; ++c) {
      moment(r, c) = moment(c, r) = mean_count > 0 ? *row / mean_count : 0;
      ++row;
    }
  }
  return {moment, mean_count * agents};
}

SolveResult<4, 1> solve_with(const AnySolverOptions& chosen, Channel& channel,
                             Objectives<4, 1> objectives,
                             const std::vector<Eigen::Vector4d>& x_init) {
  const auto with = [&]<template <int, int> class Solver>(const auto& options) {
    Solver<4, 1> method(channel, objectives, x_init, options);
    return run(method, options);
  };
  struct Visitor {
    decltype(with)& solve;
    auto operator()(const VrsgtOptions& o) const { return solve.template operator()<Vrsgt>(o); }
    auto operator()(const DestinyOptions& o) const { return solve.template operator()<Destiny>(o); }
    auto operator()(const DrsgdOptions& o) const { return solve.template operator()<Drsgd>(o); }
    auto operator()(const DrgtaOptions& o) const { return solve.template operator()<Drgta>(o); }
  };
  return std::visit(Visitor{with}, chosen);
}

}  // namespace

std::vector<Spectrum> agree_on_spectrum(Channel& channel, std::span<const HomogeneousCloud> shards,
                                        double tolerance) {
  std::vector<double> rows(shards.size() * kMomentWidth);
  for (std::size_t i = 0; i < shards.size(); ++i) pack(shards[i], &rows[i * kMomentWidth]);
  gossip_average(channel, rows, kMomentWidth, tolerance);
  std::vector<Spectrum> views;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    views.push_back(unpack(&rows[i * kMomentWidth], channel.network().agents()));
  }
  return views;
}

DpcpResult solve_dpcp(Channel& channel, std::span<const HomogeneousCloud> shards,
                      const DpcpOptions& options) {
  DpcpResult result;
  const auto start = std::chrono::steady_clock::now();
  const Traffic before = channel.traffic();

  // 1. Agree on the second moment C of the whole cloud, and on whether it holds a plane.
  const std::vector<Spectrum> views = agree_on_spectrum(channel, shards, options.gossip_tolerance);
  double verdict = 0;  // 0 regular, 1 exactly planar, 2 degenerate
  for (const Spectrum& view : views) {
    verdict = std::max(verdict, !view.degeneracy().empty() ? 2.0
                                : view.exactly_planar()    ? 1.0
                                                           : 0.0);
  }
  verdict = channel.flood_max(verdict);
  result.whitening = channel.traffic() - before;
  result.whitening_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (verdict == 2) {
    result.degeneracy = views.front().degeneracy();
    result.solve.termination = Termination::degenerate_input;
    return result;
  }

  // 2. Start at C^{1/2} v_min, which points along v_min itself.
  std::vector<Eigen::Vector4d> start_at;
  for (const Spectrum& view : views) start_at.push_back(view.smallest());
  if (verdict == 1) {  // every point lies on the least-squares plane: nothing is left to solve
    result.w = start_at;
    result.solve.x = start_at;
    result.solve.termination = Termination::converged;
    return result;
  }

  // 3. Maximise the whitened l3 objective.
  std::vector<std::unique_ptr<Objective<4, 1>>> objectives;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    objectives.push_back(
        std::make_unique<CloudObjective<L3Loss, 1>>(shards[i], views[i].whitening()));
  }
  result.solve = solve_with(options.solver, channel, objectives, start_at);

  // 4. Back to the hyperplane: w = C^{-1/2} x.
  for (std::size_t i = 0; i < views.size(); ++i) {
    const Eigen::Vector4d w = (views[i].whitening() * result.solve.x[i]).normalized();
    result.w.push_back(w.z() < 0 ? Eigen::Vector4d(-w) : w);
  }
  return result;
}

}  // namespace roadplane
