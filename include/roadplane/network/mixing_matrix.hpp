#pragma once

#include <Eigen/Core>
#include <span>
#include <string_view>
#include <vector>

#include "roadplane/network/graph.hpp"

namespace roadplane {

/// How the weights of a mixing matrix follow from the graph.
enum class MixingKind {
  metropolis,       ///< W_ij = 1 / (1 + max(deg_i, deg_j)) on edges
  lazy_metropolis,  ///< (I + metropolis) / 2: no negative eigenvalue
  max_degree,       ///< W_ij = 1 / (1 + largest degree) on edges
};

std::string_view to_string(MixingKind kind);
/// Throws FieldError that lists the known names.
MixingKind mixing_kind_from_string(std::string_view name);

/// The weights W with which agents average over their neighbours. Checked on construction:
/// symmetric, non-negative, doubly stochastic, zero off the graph's edges.
class MixingMatrix {
 public:
  struct Weight {
    int agent;
    double value;
  };

  explicit MixingMatrix(const Graph& graph, MixingKind kind = MixingKind::metropolis);
  /// Weights of the caller's own. Throws InputError that names the entry or row at fault.
  MixingMatrix(const Graph& graph, const Eigen::MatrixXd& weights);

  int size() const { return static_cast<int>(rows_.size()); }
  /// The agent itself and its neighbours, ascending by agent.
  std::span<const Weight> row(int agent) const { return rows_[agent]; }
  Eigen::MatrixXd dense() const;

  /// Second largest eigenvalue modulus: the factor by which a round shrinks disagreement.
  double slem() const;
  double largest_link_weight() const;  ///< between two different agents

 private:
  std::vector<std::vector<Weight>> rows_;
};

}  // namespace roadplane
