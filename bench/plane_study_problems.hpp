#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "roadplane/geometry/point.hpp"
#include "roadplane/ground/target.hpp"

namespace plane_study {

/// A scan whose road is sought.
struct Problem {
  std::string set;
  std::string name;
  roadplane::Scan scan;
  std::optional<Eigen::Vector4d> truth;
  std::vector<std::uint8_t> mask;  ///< 1 for a road point; empty if unknown
  std::string recording;
  bool tuning = false;  ///< else for validation

  /// What the truth holds: annotations are of the dominant plane.
  roadplane::Target target() const;
  /// Where the heights of planes are compared.
  Eigen::Vector3d middle() const;
};

/// Which of them.
struct Choice {
  std::filesystem::path data;
  std::set<std::string> sets;  ///< empty is all but streets
  bool streets = false;        ///< these too
};

/// Names of all sets of recordings and streets.
std::set<std::string> set_names();

/// The recordings below `data` and the streets; of the labelled recordings of a set every other
/// one is for tuning, or the first half of its only one.
std::vector<Problem> problems_of(const Choice& choice);

}  // namespace plane_study
