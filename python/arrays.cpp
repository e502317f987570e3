#include "arrays.hpp"

#include <Eigen/LU>
#include <cstring>

#include "roadplane/base/input_error.hpp"

namespace roadplane::python {
namespace {

std::string type_name(const py::object& object) {
  return py::str(py::type::of(object).attr("__name__"));
}

std::string shape_text(const py::array& array) { return py::str(array.attr("shape")); }

constexpr const char* kPoints =
    "a numpy array of float32 or float64 of shape (N, 3), (N, 4) or (N, 5)";

/// A row of so many values, all of one kind. `kinds` are those of numpy's dtype.kind.
py::array checked_row(const py::object& object, const std::string& where, const char* expected,
                      std::string_view kinds) {
  if (!py::isinstance<py::array>(object)) throw InputError(where, expected, type_name(object));
  const auto array = py::reinterpret_borrow<py::array>(object);
  if (array.ndim() != 1) throw InputError(where, expected, "shape " + shape_text(array));
  if (kinds.find(array.dtype().kind()) == std::string_view::npos) {
    throw InputError(where, expected, "dtype " + std::string(py::str(array.dtype())));
  }
  return array;
}

}  // namespace

PointArray::PointArray(const py::object& object) {
  if (!py::isinstance<py::array>(object)) throw InputError("points", kPoints, type_name(object));
  array_ = py::reinterpret_borrow<py::array>(object);
  doubles_ = array_.dtype().equal(py::dtype::of<double>());
  if (!doubles_ && !array_.dtype().equal(py::dtype::of<float>())) {
    throw InputError("points", kPoints,
                     "dtype " + std::string(py::str(array_.dtype())) +
                         " (points.astype(numpy.float32) converts)");
  }
  if (array_.ndim() != 2 || array_.shape(1) < 3 || array_.shape(1) > 5) {
    throw InputError("points", kPoints, "shape " + shape_text(array_));
  }
  data_ = static_cast<const char*>(array_.data());
  count_ = static_cast<std::size_t>(array_.shape(0));
  columns_ = array_.shape(1);
  row_bytes_ = array_.strides(0);
  column_bytes_ = array_.strides(1);
}

bool PointArray::lies_in_rows() const {
  return !doubles_ && reinterpret_cast<std::uintptr_t>(data_) % alignof(float) == 0 &&
         row_bytes_ % static_cast<py::ssize_t>(sizeof(float)) == 0 && row_bytes_ != 0 &&
         column_bytes_ == sizeof(float);
}

PointRows PointArray::rows() {
  // Where a fourth column is not that of rows of four, it would be left out.
  const bool has_reflectance = columns_ >= 4;
  if (!lies_in_rows() || (has_reflectance && row_bytes_ != sizeof(Point))) return points();
  return {reinterpret_cast<const float*>(data_), count_, static_cast<std::size_t>(columns_),
          row_bytes_ / static_cast<py::ssize_t>(sizeof(float))};
}

template <class T>
void PointArray::gather() {
  gathered_.resize(count_);
  const py::ssize_t used = std::min<py::ssize_t>(columns_, 4);
  const char* row = data_;
  for (Point& point : gathered_) {
    T values[4] = {};
    for (py::ssize_t c = 0; c < used; ++c) {
      std::memcpy(&values[c], row + c * column_bytes_, sizeof(T));
    }
    point = {static_cast<float>(values[0]), static_cast<float>(values[1]),
             static_cast<float>(values[2]), static_cast<float>(values[3])};
    row += row_bytes_;
  }
}

PointSpan PointArray::points() {
  if (lies_in_rows() && columns_ == 4 && (row_bytes_ == sizeof(Point) || count_ == 1)) {
    return {reinterpret_cast<const Point*>(data_), count_};
  }
  if (doubles_) {
    gather<double>();
  } else {
    gather<float>();
  }
  return gathered_;
}

std::vector<std::uint8_t> mask_of(const py::object& object, const std::string& where) {
  const auto array = py::array_t<std::uint8_t, py::array::c_style | py::array::forcecast>::ensure(
      checked_row(object, where, "a one-dimensional numpy array of bool", "b"));
  return {array.data(), array.data() + array.size()};
}

std::vector<std::uint32_t> classes_of_array(const py::object& object, const std::string& where) {
  const auto array =
      py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>::ensure(checked_row(
          object, where, "a one-dimensional numpy array of bool or of integer classes", "ui"));
  return {array.data(), array.data() + array.size()};
}

std::optional<Eigen::Matrix<double, 3, 4>> motion_of(const py::object& object) {
  if (object.is_none()) return std::nullopt;
  constexpr const char* kExpected =
      "a (3, 4) or (4, 4) numpy array of a rotation and a translation";
  if (!py::isinstance<py::array>(object)) {
    throw InputError("motion", kExpected, py::str(py::type::of(object).attr("__name__")));
  }
  const auto any = py::reinterpret_borrow<py::array>(object);
  const bool shaped =
      any.ndim() == 2 && (any.shape(0) == 3 || any.shape(0) == 4) && any.shape(1) == 4;
  if (any.dtype().kind() != 'f' || !shaped) {
    throw InputError("motion", kExpected,
                     py::str(any.dtype()).cast<std::string>() + " of shape " +
                         py::str(any.attr("shape")).cast<std::string>());
  }
  const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(any);
  const Eigen::Matrix<double, 3, 4> motion =
      Eigen::Matrix<double, 3, 4, Eigen::RowMajor>::Map(array.data());
  constexpr double kRounding = 1e-3;
  const Eigen::Matrix3d turn = motion.leftCols<3>();
  const bool rigid = motion.allFinite() && turn.determinant() > 0 &&
                     (turn * turn.transpose()).isIdentity(kRounding);
  if (!rigid) throw InputError("motion", kExpected, "another matrix");
  return motion;
}

bool is_mask(const py::object& object) {
  return py::isinstance<py::array>(object) &&
         py::reinterpret_borrow<py::array>(object).dtype().kind() == 'b';
}

}  // namespace roadplane::python
