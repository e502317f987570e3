#pragma once

#include <pybind11/pybind11.h>

#include "roadplane/kitti/data_config.hpp"
#include "roadplane/pipeline/segment_config.hpp"

namespace roadplane::python {

// Options by the names of their fields. Throw InputError for a value of another type, and TypeError
// for a name that there is not, as Python does.

SegmentConfig segment_config(const pybind11::dict& options);
kitti::DataConfig data_config(const pybind11::dict& options);

/// The names that segment_config() knows.
std::vector<std::string> segment_option_names();

}  // namespace roadplane::python
