#pragma once

#include <string>

#include "roadplane/pipeline/fleet_record.hpp"
#include "roadplane/results/text_layout.hpp"

namespace roadplane::app {

/// A moment as a table for a terminal, a line for each vehicle, and what there is to say of them.
std::string moment_text(const MomentRecord& record, const TextLayout& layout);

}  // namespace roadplane::app
