#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "report_run.hpp"
#include "roadplane/viz/report.hpp"

namespace roadplane {

/// The important numbers of every frame and method; of several methods first their medians.
std::vector<viz::Report::Table> record_tables(std::span<const MethodRecord> records);

/// What a report begins with: counts, and of a single method the medians.
std::vector<std::pair<std::string, std::string>> record_facts(
    std::span<const MethodRecord> records);

}  // namespace roadplane
