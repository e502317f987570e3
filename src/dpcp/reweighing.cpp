#include "reweighing.hpp"

#include <Eigen/Cholesky>

#include "roadplane/geometry/symmetric.hpp"
#include "roadplane/network/gossip.hpp"
#include "sampling.hpp"

namespace roadplane {
namespace {

constexpr std::size_t kSampleGroups = 960;  // of 16 points each, of all agents
constexpr double kRough = 0.1;              // tolerance where a solver goes on from
constexpr double kExact = 0.01;             // and where something is decided
constexpr int kWidth = kTriangleSize;

/// The direction in which a moment has least, by inverse iteration from a good guess.
Eigen::Vector4d least_direction(Eigen::Matrix4d moment, const Eigen::Vector4d& guess) {
  constexpr double kInvertible = 1e-9;  // of the trace
  moment.diagonal().array() += kInvertible * moment.trace() + 1e-300;
  const Eigen::LDLT<Eigen::Matrix4d> inverse(moment);
  Eigen::Vector4d w = guess;
  for (int k = 0; k < 3; ++k) w = inverse.solve(w).normalized();
  if (!w.allFinite()) return guess;
  return w.dot(guess) < 0 ? Eigen::Vector4d(-w) : w;
}

}  // namespace

CloudSums Reweighing::sums_of(std::size_t i) const {
  return CloudSums(clouds_[i], Sampling(channel_, i)(clouds_[i], kSampleGroups));
}

void Reweighing::average(std::vector<double>& rows, int width, double tolerance) const {
  ledger_.count_samples(Sampling(channel_, 0).points(kSampleGroups));
  gossip_average(channel_, rows, width, tolerance, {.chebyshev = true, .single = true});
}

void Reweighing::steps(int count, std::span<AgentPlanes*> planes, const Window& window) const {
  const int width = kWidth * static_cast<int>(planes.size());
  std::vector<double> rows(clouds_.size() * static_cast<std::size_t>(width));
  for (int step = 0; step < count; ++step) {
    double* row = rows.data();
    for (std::size_t i = 0; i < clouds_.size(); ++i) {
      for (const AgentPlanes* chain : planes) {
        pack_triangle(sums_of(i).moment((*chain)[i], window), triangle_at(row));
        row += kWidth;
      }
    }
    average(rows, width, kRough);
    const double* agreed = rows.data();
    for (std::size_t i = 0; i < clouds_.size(); ++i) {
      for (AgentPlanes* chain : planes) {
        (*chain)[i] = least_direction(unpack_triangle(triangle_at(agreed)), (*chain)[i]);
        agreed += kWidth;
      }
    }
  }
}

void Reweighing::steps(int count, AgentPlanes& planes, const Window& window) const {
  AgentPlanes* one[] = {&planes};
  steps(count, one, window);
}

std::vector<Reweighing::Support> Reweighing::support(const AgentPlanes& first,
                                                     const AgentPlanes& second,
                                                     const Window& window) const {
  std::vector<double> rows;
  for (std::size_t i = 0; i < clouds_.size(); ++i) {
    double sums[3];
    const Eigen::Vector4d pair[] = {first[i], second[i]};
    sums_of(i).support(pair, window, 0, sums);
    rows.insert(rows.end(), {sums[0], sums[1]});
  }
  average(rows, 2, kExact);
  std::vector<Support> views;
  for (std::size_t i = 0; i < clouds_.size(); ++i) views.push_back({rows[2 * i], rows[2 * i + 1]});
  return views;
}

std::vector<Reweighing::Moments> Reweighing::moments(const AgentPlanes& planes,
                                                     const Window& window) const {
  constexpr int kBoth = kWidth + 1;
  std::vector<double> rows(clouds_.size() * kBoth);
  for (std::size_t i = 0; i < clouds_.size(); ++i) {
    double* row = &rows[i * kBoth];
    pack_triangle(sums_of(i).moment(planes[i], window), triangle_at(row));
    row[kWidth] = static_cast<double>(clouds_[i].size());
  }
  average(rows, kBoth, kRough);
  std::vector<Moments> views;
  for (std::size_t i = 0; i < clouds_.size(); ++i) {
    const double* row = &rows[i * kBoth];
    const double points = std::max(row[kWidth], 1e-30);
    views.push_back({unpack_triangle(triangle_at(row)) / points, points});
  }
  return views;
}

}  // namespace roadplane
