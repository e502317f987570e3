#include "options.hpp"

#include <functional>
#include <map>
#include <string_view>
#include <type_traits>

#include "roadplane/base/input_error.hpp"
#include "roadplane/base/nearest_word.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane::python {
namespace {

namespace py = pybind11;

template <class T>
constexpr const char* kKind = "a text";
template <>
constexpr const char* kKind<double> = "a number";
template <>
constexpr const char* kKind<int> = "an integer";
template <>
constexpr const char* kKind<std::int64_t> = "an integer";
template <>
constexpr const char* kKind<std::uint64_t> = "an integer of at least 0";

template <class T>
T value_of(const std::string& name, const py::handle& value) {
  const bool text = std::is_same_v<T, std::string>;
  if (text == py::isinstance<py::str>(value)) {
    try {
      return value.cast<T>();
    } catch (const py::cast_error&) {
    } catch (const py::error_already_set&) {  // too large
    }
  }
  throw InputError(name, kKind<T>, py::repr(value));
}

template <class Config>
using Setters = std::map<std::string, std::function<void(Config&, const py::handle&)>>;

template <class Config, class T>
void add(Setters<Config>& setters, const char* name, T Config::*field) {
  setters[name] = [name, field](Config& config, const py::handle& value) {
    config.*field = value_of<T>(name, value);
  };
}

const Setters<SegmentConfig>& segment_setters() {
  static const Setters<SegmentConfig> setters = [] {
    using C = SegmentConfig;
    Setters<C> s;
    add(s, "agents", &C::agents);
    add(s, "topology", &C::topology);
    add(s, "mixing", &C::mixing);
    add(s, "links", &C::links);
    add(s, "wire", &C::wire);
    add(s, "shards", &C::shards);
    add(s, "solver", &C::solver);
    add(s, "objective", &C::objective);
    add(s, "loss", &C::loss);
    add(s, "scale", &C::scale);
    add(s, "max_tilt_deg", &C::max_tilt_deg);
    add(s, "min_height_m", &C::min_height_m);
    add(s, "max_height_m", &C::max_height_m);
    add(s, "step", &C::step);
    add(s, "batch", &C::batch);
    add(s, "iterations", &C::iterations);
    add(s, "tolerance", &C::tolerance);
    add(s, "target", &C::target);
    add(s, "surface", &C::surface);
    add(s, "threshold", &C::threshold);
    add(s, "seed", &C::seed);
    return s;
  }();
  return setters;
}

const Setters<kitti::DataConfig>& data_setters() {
  static const Setters<kitti::DataConfig> setters = [] {
    using C = kitti::DataConfig;
    Setters<C> s;
    add(s, "sequence", &C::sequence);
    add(s, "frames", &C::frames);
    add(s, "format", &C::format);
    add(s, "calib", &C::calib);
    add(s, "transform", &C::transform);
    add(s, "sensor_height_m", &C::sensor_height_m);
    return s;
  }();
  return setters;
}

template <class Config>
Config config_of(const py::dict& options, const Setters<Config>& setters) {
  Config config;
  for (const auto& [key, value] : options) {
    const std::string name = py::str(key);
    const auto setter = setters.find(name);
    if (setter != setters.end()) {
      setter->second(config, value);
      continue;
    }
    std::vector<std::string_view> known;
    for (const auto& [word, ignored] : setters) known.push_back(word);
    const std::string_view meant = nearest_word(name, known);
    throw py::type_error("unknown option " + in_quotes(name) +
                         (meant.empty() ? "" : " (did you mean " + std::string(meant) + "?)"));
  }
  return config;
}

}  // namespace

SegmentConfig segment_config(const py::dict& options) {
  return config_of(options, segment_setters());
}

kitti::DataConfig data_config(const py::dict& options) {
  return config_of(options, data_setters());
}

std::vector<std::string> segment_option_names() {
  std::vector<std::string> names;
  for (const auto& [name, ignored] : segment_setters()) names.push_back(name);
  return names;
}

}  // namespace roadplane::python
