#pragma once

#include <vector>

#include "roadplane/results/frame_record.hpp"

namespace roadplane {

/// Records in the order of time with a note on each whose plane jumps against its neighbours: they
/// are like each other, and it is like neither. It needs all frames of a sequence, and so does not
/// depend on who did which of them when.
std::vector<FrameRecord> with_jumps_noted(std::vector<FrameRecord> records);

}  // namespace roadplane
