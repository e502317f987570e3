#pragma once

#include <span>
#include <string>
#include <vector>

#include "roadplane/kitti/data_config.hpp"
#include "roadplane/results/frame_record.hpp"

namespace roadplane::app {

/// Options that would help, a sentence each: where the clouds of a run have other axes or another
/// origin than those of a sensor on a vehicle.
std::vector<std::string> hints_for(std::span<const FrameRecord> records,
                                   const kitti::DataConfig& data);

}  // namespace roadplane::app
