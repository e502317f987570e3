#pragma once

#include <pybind11/pybind11.h>

namespace roadplane::python {

/// What `work` gives, while other Python threads run.
template <class Work>
auto unlocked(const Work& work) {
  const pybind11::gil_scoped_release release;
  return work();
}

}  // namespace roadplane::python
