#pragma once

#include <cstddef>

#include "report_run.hpp"
#include "roadplane/viz/report.hpp"

namespace roadplane {

/// Whether the run is one of `roadplane fleet`.
bool is_fleet(const ReportRun& run);

/// A row for each vehicle and moment, and the moments themselves, at most so many: the picture from
/// above, and the points of all vehicles as one cloud in the common frame, labelled as the run has
/// labelled them. Scans are read where the run found them; what cannot be had is said in a note.
void add_moments(const ReportRun& run, std::size_t most, viz::Report& report);

}  // namespace roadplane
