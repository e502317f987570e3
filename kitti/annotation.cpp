#include "roadplane/kitti/annotation.hpp"

#include <matio.h>

#include <array>
#include <cstring>
#include <memory>

#include "mat_check.hpp"
#include "roadplane/base/file.hpp"
#include "roadplane/base/input_error.hpp"

namespace roadplane::kitti {
namespace {

using MatFile = std::unique_ptr<mat_t, decltype(&Mat_Close)>;
using MatVariable = std::unique_ptr<matvar_t, decltype(&Mat_VarFree)>;

// zlib shrinks by at most this factor: a variable that claims more is a lie, and is not allocated.
constexpr std::size_t kMaxCompression = 1032;

/// An annotation file that is open, and what its error messages need.
struct Source {
  MatFile file;
  std::string where;
  std::size_t bytes;
};

std::string shape_of(const matvar_t& variable) {
  std::string text = variable.isComplex != 0 ? "complex " : "";
  for (int r = 0; r < variable.rank; ++r) {
    if (r > 0) text += 'x';
    text += std::to_string(variable.dims[r]);
  }
  const bool real = variable.class_type == MAT_C_DOUBLE || variable.class_type == MAT_C_SINGLE;
  return text + (real ? "" : " of another type");
}

/// A real, floating-point matrix of `rows` rows and, unless 0, `columns` columns; nothing if the
/// file has no such variable. Size and type are checked before its data is read.
MatVariable read_matrix(Source& source, const std::string& name, std::size_t rows,
                        std::size_t columns) {
  MatVariable variable(Mat_VarReadInfo(source.file.get(), name.c_str()), &Mat_VarFree);
  if (!variable) return variable;
  const matvar_t& info = *variable;
  const std::string expected =
      name + ", " + std::to_string(rows) + "x" + (columns > 0 ? std::to_string(columns) : "N");
  const bool real = info.class_type == MAT_C_DOUBLE || info.class_type == MAT_C_SINGLE;
  if (!real || info.isComplex != 0 || info.rank != 2 || info.dims[0] != rows ||
      (columns > 0 && info.dims[1] != columns)) {
    throw InputError(source.where, expected, shape_of(info));
  }
  if (info.dims[1] > source.bytes * kMaxCompression / rows) {
    throw InputError(source.where, expected, shape_of(info) + ", more than the file can hold");
  }
  const std::size_t size = info.class_type == MAT_C_DOUBLE ? sizeof(double) : sizeof(float);
  const std::size_t count = rows * info.dims[1];
  if (count > 0 && (Mat_VarReadDataAll(source.file.get(), variable.get()) != 0 ||
                    info.data == nullptr || info.nbytes != count * size)) {
    throw InputError(source.where, expected, "damaged data");
  }
  return variable;
}

double value_at(const matvar_t& variable, std::size_t index) {
  return variable.class_type == MAT_C_DOUBLE ? static_cast<const double*>(variable.data)[index]
                                             : static_cast<const float*>(variable.data)[index];
}

void append_points(Source& source, const std::string& name, Annotation& annotation) {
  const MatVariable variable = read_matrix(source, name, 4, 0);
  if (!variable) throw InputError(source.where, "variables inliers and outliers", "no " + name);
  for (std::size_t k = 0; k < variable->dims[1]; ++k) {
    std::array<double, 4> column{};
    for (std::size_t r = 0; r < 4; ++r) column[r] = value_at(*variable, 4 * k + r);
    if (column[3] != 1) {
      throw InputError(source.where, name + " with columns [x y z 1]",
                       std::to_string(column[3]) + " in column " + std::to_string(k + 1));
    }
    annotation.scan.push_back({static_cast<float>(column[0]), static_cast<float>(column[1]),
                               static_cast<float>(column[2]), 0});
  }
}

/// The library prints to stderr and may abort unless it is given something else to do; every
/// failure shows in a return value, too.
void stay_silent(int, char*) {}

}  // namespace

Annotation read_annotation(const std::filesystem::path& path) {
  Mat_LogInitFunc("roadplane", &stay_silent);
  const std::string where = path.string();
  const FileBytes bytes = read_file(path);
  check_mat_file(bytes, where);
  Source source{MatFile(Mat_Open(path.c_str(), MAT_ACC_RDONLY), &Mat_Close), where, bytes.size()};
  if (!source.file) throw InputError(where, "a MATLAB v5 file", "something that does not open");

  Annotation annotation;
  append_points(source, "inliers", annotation);
  annotation.mask.assign(annotation.scan.size(), 1);
  append_points(source, "outliers", annotation);
  annotation.mask.resize(annotation.scan.size(), 0);
  if (annotation.scan.empty()) throw InputError(where, "at least one point", "none");
  const MatVariable threshold = read_matrix(source, "gt_threshold", 1, 1);
  if (threshold) annotation.threshold = value_at(*threshold, 0);
  return annotation;
}

}  // namespace roadplane::kitti
