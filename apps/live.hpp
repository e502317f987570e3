#pragma once

#include "run_segment.hpp"

namespace roadplane::app {

/// Whether the scans come through standard input.
bool is_live(const SegmentConfig& config);

/// A JSON line per scan, as they come; returns the exit code.
int run_live(const SegmentRun& run, Ranks& ranks);

}  // namespace roadplane::app
