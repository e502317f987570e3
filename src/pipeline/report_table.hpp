#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "roadplane/pipeline/frame_record.hpp"
#include "roadplane/viz/report.hpp"

namespace roadplane {

/// The important numbers of every frame.
viz::Report::Table records_table(std::span<const FrameRecord> records);

/// Medians and counts, as a report begins with.
std::vector<std::pair<std::string, std::string>> record_facts(std::span<const FrameRecord> records);

}  // namespace roadplane
