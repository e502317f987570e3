#pragma once

#include <pybind11/numpy.h>

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "roadplane/geometry/point_rows.hpp"

namespace roadplane::python {

namespace py = pybind11;

/// An (N, 3..5) array of float32 or float64 as points. Rows of float32 are used where they lie,
/// however far apart; float64, and columns that do not lie side by side, are copied.
class PointArray {
 public:
  /// Throws InputError naming `points` for anything else.
  explicit PointArray(const py::object& array);

  /// Needs no interpreter: the array is kept alive. Valid as long as this.
  PointRows rows();
  /// The same, gathered unless they are rows of four floats, one behind the other.
  PointSpan points();

 private:
  bool lies_in_rows() const;
  template <class T>
  void gather();

  py::array array_;
  const char* data_;
  std::size_t count_;
  py::ssize_t columns_;
  py::ssize_t row_bytes_;
  py::ssize_t column_bytes_;
  bool doubles_ = false;
  Scan gathered_;
};

/// One number a point, as bytes: bool and uint8 as they are. Throws InputError naming `where`.
std::vector<std::uint8_t> mask_of(const py::object& array, const std::string& where);
/// One class a point. Throws InputError naming `where`.
std::vector<std::uint32_t> classes_of_array(const py::object& array, const std::string& where);
/// A rigid motion, 3 x 4 or 4 x 4; nothing of None. Throws InputError naming `motion`.
std::optional<Eigen::Matrix<double, 3, 4>> motion_of(const py::object& array);
/// Whether it is an array of bool, a mask; classes are integers.
bool is_mask(const py::object& array);

/// An array that owns the values: they are moved, not copied.
template <class Vector>
py::array array_of(Vector values, std::vector<py::ssize_t> shape, const py::dtype& dtype) {
  auto owner = std::make_unique<Vector>(std::move(values));
  const auto* data = owner->data();
  const py::capsule capsule(owner.get(), [](void* p) { delete static_cast<Vector*>(p); });
  owner.release();
  return py::array(dtype, std::move(shape), data, capsule);
}

template <class Vector>
py::array array_of(Vector values) {
  const auto size = static_cast<py::ssize_t>(values.size());
  return array_of(std::move(values), {size}, py::dtype::of<typename Vector::value_type>());
}

}  // namespace roadplane::python
