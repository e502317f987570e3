#pragma once

#include "roadplane/pipeline/segment_config.hpp"

namespace roadplane {

/// Throws FieldError naming an option that was changed but that nothing follows from beside the
/// others: who asked for it expects something else.
void refuse_without_effect(const SegmentConfig& config);

}  // namespace roadplane
