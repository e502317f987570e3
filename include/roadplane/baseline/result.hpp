#pragma once

#include <Eigen/Core>
#include <string>

namespace roadplane {

/// What a centralised method, which sees all points at once, gives back.
struct BaselineResult {
  Eigen::Vector4d w = Eigen::Vector4d::Zero();  ///< unit, upwards; zero if there is no plane
  int iterations = 0;
  std::string degeneracy;  ///< why there is no plane; empty if there is one
  double seconds = 0;

  bool found() const { return degeneracy.empty(); }
};

}  // namespace roadplane
