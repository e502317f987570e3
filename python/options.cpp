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
constexpr const char* kKind<bool> = "True or False";
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
    add(s, "topic", &C::topic);
    add(s, "frames", &C::frames);
    add(s, "format", &C::format);
    add(s, "calib", &C::calib);
    add(s, "transform", &C::transform);
    add(s, "sensor_height_m", &C::sensor_height_m);
    add(s, "sensor_origin", &C::sensor_origin);
    return s;
  }();
  return setters;
}

const Setters<CompareConfig>& compare_setters() {
  static const Setters<CompareConfig> setters = [] {
    using C = CompareConfig;
    Setters<C> s;
    for (const auto& [name, set] : segment_setters()) {
      s[name] = [&set](C& config, const py::handle& value) { set(config.common, value); };
    }
    for (const auto& [name, set] : data_setters()) {
      s[name] = [&set](C& config, const py::handle& value) { set(config.common.data, value); };
    }
    for (const char* of_a_method : {"solver", "objective", "iterations", "surface"}) {
      s.erase(of_a_method);
    }
    for (const auto& [name, field] : {std::pair("truth", &SegmentConfig::truth),
                                      std::pair("scoring", &SegmentConfig::scoring)}) {
      s[name] = [name = name, field = field](C& config, const py::handle& value) {
        config.common.*field = value_of<std::string>(name, value);
      };
    }
    add(s, "solvers", &C::solvers);
    add(s, "objectives", &C::objectives);
    add(s, "baselines", &C::baselines);
    add(s, "budget", &C::budget);
    add(s, "protocol", &C::protocol);
    add(s, "tune", &C::tune);
    add(s, "tune_frames", &C::tune_frames);
    add(s, "tune_steps", &C::tune_steps);
    add(s, "repeat", &C::repeat);
    add(s, "jobs", &C::jobs);
    return s;
  }();
  return setters;
}

const Setters<SolveConfig>& solve_setters() {
  static const Setters<SolveConfig> setters = [] {
    using C = SolveConfig;
    Setters<C> s;
    add(s, "objective", &C::objective);
    add(s, "p", &C::p);
    add(s, "centre", &C::centre);
    add(s, "normalise", &C::normalise);
    add(s, "homogeneous", &C::homogeneous);
    add(s, "whiten", &C::whiten);
    add(s, "start", &C::start);
    add(s, "loss", &C::loss);
    add(s, "scale", &C::scale);
    add(s, "truth", &C::truth);
    add(s, "agents", &C::agents);
    add(s, "topology", &C::topology);
    add(s, "mixing", &C::mixing);
    add(s, "links", &C::links);
    add(s, "wire", &C::wire);
    add(s, "shards", &C::shards);
    add(s, "solver", &C::solver);
    add(s, "step", &C::step);
    add(s, "penalty", &C::penalty);
    add(s, "batch", &C::batch);
    add(s, "gossip_rounds", &C::gossip_rounds);
    add(s, "schedule", &C::schedule);
    add(s, "iterations", &C::iterations);
    add(s, "tolerance", &C::tolerance);
    add(s, "budget", &C::budget);
    add(s, "trace_every", &C::trace_every);
    add(s, "seed", &C::seed);
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

template <class Config>
std::vector<std::string> names_of(const Setters<Config>& setters) {
  std::vector<std::string> names;
  for (const auto& [name, ignored] : setters) names.push_back(name);
  return names;
}

}  // namespace

SegmentConfig segment_config(const py::dict& options) {
  return config_of(options, segment_setters());
}

kitti::DataConfig data_config(const py::dict& options) {
  return config_of(options, data_setters());
}

CompareConfig compare_config(const py::dict& options) {
  return config_of(options, compare_setters());
}

SolveConfig solve_config(const py::dict& options) { return config_of(options, solve_setters()); }

std::vector<std::string> segment_option_names() { return names_of(segment_setters()); }
std::vector<std::string> compare_option_names() { return names_of(compare_setters()); }
std::vector<std::string> solve_option_names() { return names_of(solve_setters()); }

}  // namespace roadplane::python
