#include "roadplane/network/mixing_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "roadplane/base/input_error.hpp"
#include "roadplane/base/named_values.hpp"

namespace roadplane {
namespace {

constexpr double kRounding = 1e-12;  // on a row's sum and on symmetry

constexpr NamedValues<MixingKind, 3> kNames{{
    {MixingKind::metropolis, "metropolis"},
    {MixingKind::lazy_metropolis, "lazy-metropolis"},
    {MixingKind::max_degree, "max-degree"},
}};

double edge_weight(const Graph& graph, MixingKind kind, int i, int j) {
  const double metropolis = 1.0 / (1 + std::max(graph.degree(i), graph.degree(j)));
  switch (kind) {
    case MixingKind::metropolis:
      return metropolis;
    case MixingKind::lazy_metropolis:
      return metropolis / 2;
    case MixingKind::max_degree:
      return 1.0 / (1 + graph.max_degree());
  }
  return 0;
}

std::string entry(int i, int j, double value) {
  return "W(" + std::to_string(i) + "," + std::to_string(j) + ") = " + std::to_string(value);
}

void check_entry(const Graph& graph, const Eigen::MatrixXd& w, int i, int j) {
  if (!(w(i, j) >= 0))
    throw InputError("mixing matrix", "no negative weight", entry(i, j, w(i, j)));
  if (i != j && w(i, j) != 0 && !graph.linked(i, j)) {
    throw InputError("mixing matrix", "zero where there is no link", entry(i, j, w(i, j)));
  }
  if (std::abs(w(i, j) - w(j, i)) > kRounding) {
    throw InputError("mixing matrix", "a symmetric matrix",
                     entry(i, j, w(i, j)) + " and " + entry(j, i, w(j, i)));
  }
}

}  // namespace

std::string_view to_string(MixingKind kind) { return name_of(kNames, kind); }

MixingKind mixing_kind_from_string(std::string_view name) {
  return value_of(kNames, name, "mixing");
}

MixingMatrix::MixingMatrix(const Graph& graph, MixingKind kind) : rows_(graph.size()) {
  for (int i = 0; i < graph.size(); ++i) {
    auto& row = rows_[i];
    double rest = 1;
    for (const int j : graph.neighbours(i)) {
      row.push_back({j, edge_weight(graph, kind, i, j)});
      rest -= row.back().value;
    }
    const auto place = std::find_if(row.begin(), row.end(), [i](auto& w) { return w.agent > i; });
    row.insert(place, {i, std::max(0.0, rest)});  // a rest of -1e-17 is rounding
  }
}

MixingMatrix::MixingMatrix(const Graph& graph, const Eigen::MatrixXd& weights) {
  const int d = graph.size();
  if (weights.rows() != d || weights.cols() != d) {
    throw InputError("mixing matrix", std::to_string(d) + " x " + std::to_string(d),
                     std::to_string(weights.rows()) + " x " + std::to_string(weights.cols()));
  }
  rows_.resize(d);
  for (int i = 0; i < d; ++i) {
    for (int j = 0; j < d; ++j) {
      check_entry(graph, weights, i, j);
      if (i == j || graph.linked(i, j)) rows_[i].push_back({j, weights(i, j)});
    }
    const double sum = weights.row(i).sum();
    if (std::abs(sum - 1) > kRounding) {
      throw InputError("mixing matrix", "rows that sum to 1",
                       "row " + std::to_string(i) + " with sum " + std::to_string(sum));
    }
  }
}

Eigen::MatrixXd MixingMatrix::dense() const {
  Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(size(), size());
  for (int i = 0; i < size(); ++i) {
    for (const auto& [j, value] : rows_[i]) weights(i, j) = value;
  }
  return weights;
}

double MixingMatrix::largest_link_weight() const {
  double largest = 0;
  for (int i = 0; i < size(); ++i) {
    for (const auto& [j, value] : rows_[i]) {
      if (j != i) largest = std::max(largest, value);
    }
  }
  return largest;
}

}  // namespace roadplane
