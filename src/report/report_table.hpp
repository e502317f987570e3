#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report_run.hpp"
#include "roadplane/viz/report.hpp"

namespace roadplane {

/// The important numbers of every frame and method; of a comparison first the methods' medians.
std::vector<viz::Report::Table> record_tables(const ReportRun& run);

/// What a report begins with: counts, and of a single method the medians.
std::vector<std::pair<std::string, std::string>> record_facts(const ReportRun& run);

}  // namespace roadplane
