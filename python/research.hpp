#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

namespace roadplane::python {

/// `roadplane compare`: (compare.json, the table for a terminal). `folder` takes what runs keep.
pybind11::tuple compare(const std::vector<std::string>& paths, const pybind11::dict& options,
                        const std::string& folder);

/// `roadplane solve` of a .npy file: (X, solve.json, trace.csv).
pybind11::tuple solve(const std::string& path, const pybind11::dict& options);

}  // namespace roadplane::python
