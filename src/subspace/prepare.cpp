#include "roadplane/subspace/prepare.hpp"

#include <algorithm>
#include <limits>

#include "agree.hpp"
#include "roadplane/base/named_values.hpp"

namespace roadplane {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Normalise = Preparation::Normalise;

constexpr NamedValues<Normalise, 3> kNames{{
    {Normalise::none, "none"},
    {Normalise::features, "features"},
    {Normalise::points, "points"},
}};

std::vector<VectorXd> agree_on_mean(Channel& channel, const SharedPoints& points) {
  return agree_on_mean_of<VectorXd>(channel, points, points.n(), [](const MatrixXd& shard) {
    return VectorXd(shard.rowwise().sum());
  });
}

/// Decided by the extremes, which unlike deviations are the same for everybody.
void require_no_constant(Channel& channel, const SharedPoints& points) {
  const Eigen::Index n = points.n();
  constexpr double kNothing = -std::numeric_limits<double>::infinity();
  std::vector<double> extremes(static_cast<std::size_t>(2 * n), kNothing);
  for (std::size_t i = 0; i < points.shards.size(); ++i) {
    if (channel.gone(static_cast<int>(i))) continue;
    const MatrixXd& shard = points.shards[i];
    for (Eigen::Index r = 0; r < n && shard.cols() > 0; ++r) {
      extremes[2 * r] = std::max(extremes[2 * r], shard.row(r).maxCoeff());
      extremes[2 * r + 1] = std::max(extremes[2 * r + 1], -shard.row(r).minCoeff());
    }
  }
  channel.flood_max(extremes);
  for (Eigen::Index r = 0; r < n; ++r) {
    if (extremes[2 * r] + extremes[2 * r + 1] > 0) continue;
    throw InputError("column " + std::to_string(r + 1), "numbers that differ",
                     "always " + in_digits(extremes[2 * r]));
  }
}

void scale_features(Channel& channel, SharedPoints& points, const std::vector<VectorXd>& means) {
  SharedPoints centred = points;
  for (std::size_t i = 0; i < means.size(); ++i) centred.shards[i].colwise() -= means[i];
  const auto variances = agree_on_mean_of<VectorXd>(
      channel, centred, points.n(),
      [](const MatrixXd& shard) { return VectorXd(shard.rowwise().squaredNorm()); });
  for (std::size_t i = 0; i < means.size(); ++i) {
    points.shards[i] = variances[i].cwiseSqrt().cwiseInverse().asDiagonal() * points.shards[i];
  }
}

}  // namespace

double SharedPoints::weight(std::size_t hosted, int agents) const {
  return static_cast<double>(shards[hosted].cols()) * agents / static_cast<double>(points);
}

std::int64_t SharedPoints::largest_shard(int agents) const {
  return (static_cast<std::int64_t>(points) + agents - 1) / agents;
}

Normalise normalise_from_string(std::string_view name) {
  return value_of(kNames, name, "normalise");
}

SharedPoints prepare(Channel& channel, SharedPoints points, const Preparation& preparation,
                     Ledger& ledger) {
  const bool features = preparation.normalise == Normalise::features;
  if (features) require_no_constant(channel, points);
  if (features || preparation.centre) {
    const std::vector<VectorXd> means = agree_on_mean(channel, points);
    ledger.count_samples((features ? 2 : 1) * points.largest_shard(channel.network().agents()));
    for (std::size_t i = 0; preparation.centre && i < means.size(); ++i) {
      points.shards[i].colwise() -= means[i];
    }
    const VectorXd zero = VectorXd::Zero(points.n());
    if (features) {
      scale_features(channel, points, preparation.centre ? std::vector(means.size(), zero) : means);
    }
  }
  for (MatrixXd& shard : points.shards) {
    if (preparation.homogeneous) {
      shard.conservativeResize(shard.rows() + 1, Eigen::NoChange);
      shard.bottomRows(1).setOnes();
    }
    if (preparation.normalise != Normalise::points) continue;
    for (auto point : shard.colwise()) point.normalize();  // a point at 0 stays there
  }
  return points;
}

}  // namespace roadplane
