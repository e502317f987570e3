// roadplane._native: what roadplane/__init__.py is made of. Arrays come in as they are; the work is
// done without the interpreter's lock.

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <mutex>

#include "arrays.hpp"
#include "options.hpp"
#include "research.hpp"
#include "roadplane/base/field_error.hpp"
#include "roadplane/dpcp/plane_tracker.hpp"
#include "roadplane/pipeline/segment_scan.hpp"
#include "roadplane/results/metrics.hpp"
#include "roadplane/results/tables.hpp"
#include "roadplane/viz/image_file.hpp"
#include "score.hpp"
#include "unlocked.hpp"

namespace roadplane::python {
namespace {

py::object python_value(const MetricValue& value) {
  return std::visit([](const auto& v) { return py::object(py::cast(v)); }, value);
}

/// Puts a metric where its key says: dots are levels, "w.0" is the first entry of the list "w".
void put(const py::object& level, std::string_view key, const py::object& value) {
  const std::size_t dot = std::min(key.find('.'), key.size());
  if (py::isinstance<py::list>(level)) {  // entries come in turn
    level.attr("append")(value);
    return;
  }
  const py::str name(key.data(), dot);
  if (dot == key.size()) {
    level[name] = value;
    return;
  }
  const std::string_view rest = key.substr(dot + 1);
  if (!level.contains(name)) {
    level[name] = rest == "0" ? py::object(py::list()) : py::object(py::dict());
  }
  put(level[name], rest, value);
}

/// All that the program records of a frame.
py::dict python_record(const FrameRecord& record) {
  py::dict result;
  for (const Metric& metric : metrics()) {
    if (!metric.recorded) continue;
    if (const auto value = metric.value(record)) put(result, metric.key, python_value(*value));
  }
  return result;
}

/// (labels, distances, record, trace as CSV: empty unless it is asked for)
py::tuple as_tuple(Segmentation result, const SegmentPlan& plan) {
  const auto size = static_cast<py::ssize_t>(result.labels.road.size());
  const std::string trace = plan.save.trace
                                ? trace_csv(result.trace, plan.network.graph, "recovery_error", {})
                                : std::string();
  return py::make_tuple(array_of(std::move(result.labels.road), {size}, py::dtype("bool")),
                        array_of(std::move(result.labels.residuals)), python_record(result.record),
                        trace);
}

py::tuple segment(const py::object& array, const py::dict& options, bool with_trace) {
  PointArray points(array);
  SegmentConfig config = segment_config(options);
  config.save = with_trace ? "trace" : "none";
  const SegmentPlan plan(config.resolved());
  return as_tuple(unlocked([&] { return segment_scan(points.rows(), plan); }), plan);
}

/// Of one scan after another.
class Tracker {
 public:
  explicit Tracker(const py::dict& options) : plan_(plan_of(options)) {}

  py::tuple segment(const py::object& array, const py::object& motion) {
    PointArray points(array);
    const std::optional<ScanMotion> moved = motion_of(motion);
    const auto track = [&](Channel& channel, std::span<const HomogeneousCloud> clouds,
                           const PlaneOptions& options) {
      return track_(channel, clouds, options, moved);
    };
    return as_tuple(unlocked([&] {
                      const std::lock_guard one_at_a_time(mutex_);
                      return segment_scan(points.rows(), plan_, "points", track);
                    }),
                    plan_);
  }

  void forget() {
    unlocked([&] {
      const std::lock_guard one_at_a_time(mutex_);
      track_.forget();
    });
  }

 private:
  static SegmentPlan plan_of(const py::dict& options) {
    SegmentConfig config = segment_config(options);
    config.track = true;
    return SegmentPlan(config.resolved());
  }

  SegmentPlan plan_;
  PlaneTracker track_;
  std::mutex mutex_;
};

struct OpenedData {
  std::string layout;
  std::string name;
  std::vector<std::string> remarks;
  std::vector<kitti::Frame> frames;
};

OpenedData open_dataset(const std::vector<std::string>& paths, const py::dict& options) {
  kitti::DataConfig config = data_config(options);
  config.paths = paths;
  return unlocked([&] {
    config.validate();
    const kitti::Dataset dataset = open_data(config);
    return OpenedData{std::string(to_string(dataset.layout)), dataset.name, dataset.remarks,
                      select_frames(config, dataset)};
  });
}

py::array points_of(const kitti::Frame& frame) {
  Scan scan = unlocked([&] { return load_scan(frame); });
  const auto size = static_cast<py::ssize_t>(scan.size());
  return array_of(std::move(scan), {size, 4}, py::dtype::of<float>());
}

py::object image_of(const kitti::Frame& frame) {
  if (!frame.image) return py::none();
  RgbImage image = unlocked([&] { return viz::read_image(*frame.image); });
  return array_of(std::move(image.rgb), {image.height, image.width, 3},
                  py::dtype::of<std::uint8_t>());
}

/// 3 x 4, from homogeneous points in the sensor's frame to homogeneous pixels.
py::object calibration_of(const kitti::Frame& frame) {
  const auto projection = load_projection(frame);
  if (!projection) return py::none();
  const auto& matrix = projection->matrix();
  std::vector<double> rows;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 4; ++c) rows.push_back(matrix(r, c));
  }
  return array_of(std::move(rows), {3, 4}, py::dtype::of<double>());
}

py::object labels_of(const kitti::Frame& frame) {
  auto labels = unlocked(
      [&] { return frame.label ? load_labels(frame, count_points(frame)) : std::nullopt; });
  return labels ? py::object(array_of(std::move(*labels))) : py::none();
}

py::object annotation_of(const kitti::Frame& frame) {
  if (!frame.annotation) return py::none();
  auto mask = unlocked([&] { return annotated_mask(frame, load_scan(frame)); });
  const auto size = static_cast<py::ssize_t>(mask.size());
  return array_of(std::move(mask), {size}, py::dtype("bool"));
}

/// The class is roadplane.InputError, which knows where, expected and found.
void raise(const std::string& where, const std::string& expected, const std::string& found) {
  const py::object type = py::module_::import("roadplane").attr("InputError");
  PyErr_SetObject(type.ptr(), py::make_tuple(where, expected, found).ptr());
}

/// What a field is called here: prior.max_tilt_deg is max_tilt_deg.
std::string option_of(const std::string& field) {
  if (field == "stop.max_iterations") return "iterations";
  if (field == "stop.residual_tolerance") return "tolerance";
  if (field == "scale_rad") return "scale";
  return field.substr(field.rfind('.') + 1);  // all of it if there is no dot
}

void raise(const FieldError& error) {
  const std::string where = option_of(error.field()) + error.where().substr(error.field().size());
  // Other options may be named in what is expected, between these two.
  const std::string before = where + ": expected ";
  const std::string behind = ", found " + error.found();
  const std::string line = error.line_with(option_of);
  raise(where, line.substr(before.size(), line.size() - before.size() - behind.size()),
        error.found());
}

void translate(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const FieldError& error) {
    raise(error);
  } catch (const InputError& error) {
    raise(error.where(), error.expected(), error.found());
  }
}

}  // namespace
}  // namespace roadplane::python

PYBIND11_MODULE(_native, m) {
  using namespace roadplane::python;
  using roadplane::kitti::Frame;
  py::register_exception_translator(translate);
  m.attr("version") = ROADPLANE_VERSION;
  m.def("segment", segment);
  py::class_<Tracker>(m, "Tracker")
      .def(py::init<const py::dict&>())
      .def("segment", &Tracker::segment)
      .def("forget", &Tracker::forget);
  m.def("score", score);
  m.def("compare", compare);
  m.def("solve", solve);
  m.def("option_names", segment_option_names);
  m.def("compare_option_names", compare_option_names);
  m.def("solve_option_names", solve_option_names);
  py::class_<Frame>(m, "Frame")
      .def_readonly("sequence", &Frame::sequence)
      .def_readonly("number", &Frame::number)
      .def_readonly("path", &Frame::scan)
      .def_property_readonly("name", &Frame::name)
      .def_property_readonly("contents", &Frame::contents)
      .def("points", points_of)
      .def("image", image_of)
      .def("calibration", calibration_of)
      .def("labels", labels_of)
      .def("annotation", annotation_of);
  py::class_<OpenedData>(m, "Dataset")
      .def_readonly("layout", &OpenedData::layout)
      .def_readonly("name", &OpenedData::name)
      .def_readonly("remarks", &OpenedData::remarks)
      .def_readonly("frames", &OpenedData::frames);
  m.def("open_dataset", open_dataset);
}
