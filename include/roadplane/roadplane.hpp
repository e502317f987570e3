#pragma once

// What a user of roadplane::full needs: the core, data sets, and the whole job for a scan.

#include "roadplane/core.hpp"
#include "roadplane/kitti/dataset.hpp"
#include "roadplane/pipeline/segment_config.hpp"
#include "roadplane/pipeline/segment_scan.hpp"
#include "roadplane/results/frame_record.hpp"
