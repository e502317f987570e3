#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "side_by_side_frames.hpp"

namespace side_by_side {

/// One run of a method, from the points in memory to the hyperplane.
struct Run {
  std::vector<Eigen::Vector4d> w;  ///< one per agent; empty if no plane was found
  double milliseconds = 0;
};

struct Method {
  std::string name;
  /// Random methods get another seed each time and are judged by their median.
  std::function<Run(const TruthFrame&, int repetition)> run;
};

/// The name of the method that the others' speed is compared with.
inline constexpr const char* kYardstick = "ransac 0.15 m";

/// This project's solver first, then its way to the ground's labels, then gossip-IRLS from the same
/// start, then the baselines.
std::vector<Method> all_methods();

}  // namespace side_by_side
