#pragma once

#include <pybind11/pybind11.h>

#include "roadplane/compare/compare_config.hpp"
#include "roadplane/kitti/data_config.hpp"
#include "roadplane/pipeline/segment_config.hpp"
#include "roadplane/subspace/solve_config.hpp"

namespace roadplane::python {

// Options by the names of their fields. Throw InputError for a value of another type, and TypeError
// for a name that there is not, as Python does.

SegmentConfig segment_config(const pybind11::dict& options);
kitti::DataConfig data_config(const pybind11::dict& options);
/// Options of the comparison, of the data and of what all its runs share.
CompareConfig compare_config(const pybind11::dict& options);
SolveConfig solve_config(const pybind11::dict& options);

// The names that they know.
std::vector<std::string> segment_option_names();
std::vector<std::string> compare_option_names();
std::vector<std::string> solve_option_names();

}  // namespace roadplane::python
