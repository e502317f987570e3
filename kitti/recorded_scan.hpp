#pragma once

#include "roadplane/kitti/frame.hpp"

namespace roadplane::kitti {

/// Throws InputError where the message is none or no scan.
Scan read_recorded(const RecordedScan& scan, const ScanReading& reading);
/// By the head of the message alone.
std::size_t count_recorded(const RecordedScan& scan);

}  // namespace roadplane::kitti
