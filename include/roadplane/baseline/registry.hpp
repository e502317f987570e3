#pragma once

#include <span>
#include <string_view>

#include "roadplane/baseline/irls.hpp"
#include "roadplane/baseline/psgm.hpp"
#include "roadplane/baseline/ransac.hpp"
#include "roadplane/baseline/result.hpp"
#include "roadplane/geometry/point.hpp"

namespace roadplane {

/// The options of all baselines; each takes its own.
struct BaselineOptions {
  PsgmOptions psgm;
  IrlsOptions irls;
  RansacOptions ransac;
};

/// svd, psgm, irls, ransac.
std::span<const std::string_view> baseline_names();

/// Runs a baseline by its name on all points; `seconds` counts from the points in memory to w.
/// Throws InputError for an unknown name, listing the known ones, and for bad options.
BaselineResult run_baseline(std::string_view name, PointSpan points,
                            const BaselineOptions& options = {});

}  // namespace roadplane
