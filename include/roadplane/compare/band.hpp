#pragma once

#include <span>
#include <string>
#include <vector>

#include "roadplane/viz/plot.hpp"

namespace roadplane {

/// One run's course: x ascends.
struct Series {
  std::vector<double> x;
  std::vector<double> y;
};

/// Several runs of one method as a line: the median over the runs at the places of the one with
/// most, each run interpolated and holding its last value; with a band from 10 to 90 % if there are
/// several.
viz::Curve band_of(const std::string& name, std::span<const Series> runs);

/// Between the values, by linear interpolation; `share` from 0 to 1.
double quantile(std::vector<double> values, double share);

}  // namespace roadplane
