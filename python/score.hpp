#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace roadplane::python {

/// Of labels (bool, or classes) against a truth (the same): (counts and ratios, points left out,
/// counts and ratios by distance or None). `points` may be None.
pybind11::tuple score(const pybind11::object& labels, const pybind11::object& truth,
                      const pybind11::object& points, const std::string& target,
                      const std::string& scoring);

}  // namespace roadplane::python
