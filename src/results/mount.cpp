#include "roadplane/results/mount.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

namespace roadplane {
namespace {

using nlohmann::json;
using Values = std::vector<double>;

constexpr double kDrawnIn = 3;           // robust deviations, beyond which a value is drawn in
constexpr double kLeastIndependent = 4;  // with fewer, nobody knows how far a mean is off
constexpr std::size_t kLeastSide = 20;   // frames on either side of a step
constexpr double kClear = 5;             // standard errors that a step is high
constexpr double kLeastStepM = 0.02;     // [m] a smaller one is tyres and load
constexpr double kLeastStepDeg = 0.2;    // [deg]

double degrees(double radians) { return radians * 180 / std::numbers::pi; }

double median_of(Values values) {
  const std::size_t n = values.size();
  std::sort(values.begin(), values.end());
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

/// Values with those that lie far off drawn in to where the others end.
Values drawn_in(Values values) {
  constexpr double kDeviation = 1.4826;  // of a normal distribution, times its median deviation
  const double middle = median_of(values);
  Values off;
  for (const double v : values) off.push_back(std::abs(v - middle));
  const double reach = kDrawnIn * kDeviation * median_of(off);
  if (reach > 0) {
    for (double& v : values) v = std::clamp(v, middle - reach, middle + reach);
  }
  return values;
}

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

/// What is left of values about a mean.
Values about(std::span<const double> values, double mean) {
  Values rest(values.begin(), values.end());
  for (double& v : rest) v -= mean;
  return rest;
}

double covariance(const Values& rest, std::size_t lag) {
  double sum = 0;
  for (std::size_t k = lag; k < rest.size(); ++k) sum += rest[k] * rest[k - lag];
  return sum / static_cast<double>(rest.size());
}

/// What the variance of the mean is, times the number of values, since neighbours are alike: the
/// sum of covariances in pairs of lags, which are positive and fall (Geyer, Stat. Sci. 7 (1992)
/// 473), until they do not.
double long_run_variance(const Values& rest) {
  const double variance = covariance(rest, 0);
  double sum = -variance;
  double before = 2 * variance;
  for (std::size_t lag = 0; lag + 1 < rest.size(); lag += 2) {
    const double pair = std::min(before, covariance(rest, lag) + covariance(rest, lag + 1));
    if (pair <= 0) break;
    sum += 2 * pair;
    before = pair;
  }
  return std::max(sum, variance);
}

/// Of Student's t with so many degrees of freedom, at least 3: 97.5 % lie below.
double student(double freedom) {
  constexpr double z = 1.959964;
  const double z3 = z * z * z, z5 = z3 * z * z;
  return z + (z3 + z) / (4 * freedom) + (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom * freedom);
}

MountNumber number_of(const Values& values) {
  const Values inside = drawn_in(values);
  MountNumber number{mean_of(inside), std::nullopt, 1};
  const Values rest = about(inside, number.value);
  const double variance = covariance(rest, 0);
  const double long_run = long_run_variance(rest);
  if (long_run <= 0) return number;
  const auto count = static_cast<double>(values.size());
  number.independent = count * variance / long_run;
  if (number.independent < kLeastIndependent) return number;
  const double off = student(number.independent - 1) * std::sqrt(long_run / (count - 1));
  number.interval_95 = Interval{number.value - off, number.value + off};
  return number;
}

/// The means of what comes before and from `place` on differ so much, ...
struct Step {
  std::size_t place = 0;
  double clear = 0;  ///< ... in standard errors
  double size = 0;
};

Step step_at(std::span<const double> values, std::size_t place) {
  return {place, 0, mean_of(values.subspan(place)) - mean_of(values.first(place))};
}

/// Where a step explains most of the values.
Step clearest_step(const Values& values) {
  const std::size_t n = values.size();
  if (n < 2 * kLeastSide) return {};
  const Values inside = drawn_in(values);
  const double mean = mean_of(inside);
  Step best;
  double most = 0;
  double sum = 0;  // of what comes before, about the mean
  for (std::size_t place = 1; place + kLeastSide <= n; ++place) {
    sum += inside[place - 1] - mean;
    if (place < kLeastSide) continue;
    const double weight = static_cast<double>(place) * static_cast<double>(n - place);
    const double explained = sum * sum * static_cast<double>(n) / weight;
    if (explained <= most) continue;
    most = explained;
    best = step_at(inside, place);
  }
  if (most == 0) return {};
  const std::span<const double> all(inside);
  Values rest = about(all.first(best.place), mean_of(all.first(best.place)));
  const Values after = about(all.subspan(best.place), mean_of(all.subspan(best.place)));
  rest.insert(rest.end(), after.begin(), after.end());
  const double variance = long_run_variance(rest);
  best.clear = variance > 0 ? std::sqrt(most / variance) : kClear;
  return best;
}

/// Height, roll and pitch over the frames.
using Series = std::array<Values, 3>;

std::optional<MountStep> step_of(const Series& series, std::span<const RoadView* const> used) {
  Step best;
  for (std::size_t k = 0; k < series.size(); ++k) {
    const Step step = clearest_step(series[k]);
    const double least = k == 0 ? kLeastStepM : kLeastStepDeg;
    if (std::abs(step.size) >= least && step.clear > best.clear) best = step;
  }
  if (best.clear < kClear) return std::nullopt;
  MountStep moved{used[best.place - 1]->name};
  moved.height_m = step_at(drawn_in(series[0]), best.place).size;
  moved.roll_deg = step_at(drawn_in(series[1]), best.place).size;
  moved.pitch_deg = step_at(drawn_in(series[2]), best.place).size;
  return moved;
}

Mount mount_of(const std::string& sequence, std::span<const RoadView* const> frames) {
  Mount mount;
  mount.sequence = sequence;
  mount.frames = frames.size();
  Series series;
  std::vector<const RoadView*> used;
  for (const RoadView* view : frames) {
    if (!view->plane) continue;
    used.push_back(view);
    series[0].push_back(view->plane->offset_m);
    series[1].push_back(roll_deg(*view->plane));
    series[2].push_back(pitch_deg(*view->plane));
  }
  mount.used = used.size();
  if (used.empty()) return mount;
  mount.height_m = number_of(series[0]);
  mount.roll_deg = number_of(series[1]);
  mount.pitch_deg = number_of(series[2]);
  mount.moved = step_of(series, used);
  return mount;
}

json json_of(const std::optional<Interval>& interval) {
  return interval ? json{interval->low, interval->high} : json();
}

std::string number_text(const MountNumber& number, const char* unit, int digits) {
  std::string text = fmt::format("{:.{}f} {}", number.value, digits, unit);
  if (number.interval_95) {
    text += fmt::format(" +- {:.{}f}", number.interval_95->high - number.value, digits);
  }
  return text;
}

}  // namespace

double roll_deg(const Plane& seen_by_sensor) {
  return degrees(std::atan2(seen_by_sensor.normal.y(), seen_by_sensor.normal.z()));
}

double pitch_deg(const Plane& seen_by_sensor) {
  return degrees(-std::asin(std::clamp(seen_by_sensor.normal.x(), -1.0, 1.0)));
}

std::vector<RoadView> road_views(std::span<const FrameRecord> records) {
  std::vector<RoadView> views;
  for (const FrameRecord& r : records) {
    RoadView& view = views.emplace_back(RoadView{r.sequence, r.name, r.frame, std::nullopt});
    if (r.status <= FrameStatus::incomplete) view.plane = Plane::from_hyperplane(r.w);
  }
  return views;
}

std::vector<Mount> mounts_of(std::span<const RoadView> views) {
  std::vector<std::string> sequences;
  for (const RoadView& view : views) {
    const bool known =
        std::find(sequences.begin(), sequences.end(), view.sequence) != sequences.end();
    if (!known) sequences.push_back(view.sequence);
  }
  std::vector<Mount> mounts;
  for (const std::string& sequence : sequences) {
    std::vector<const RoadView*> frames;
    for (const RoadView& view : views) {
      if (view.sequence == sequence) frames.push_back(&view);
    }
    Mount mount = mount_of(sequence, frames);
    if (mount.used > 0) mounts.push_back(std::move(mount));
  }
  return mounts;
}

json to_json(const Mount& mount) {
  json j = {{"sequence", mount.sequence}, {"frames", mount.frames}, {"used", mount.used}};
  const auto add = [&](const char* key, const MountNumber& number) {
    j[key] = number.value;
    j[std::string(key) + "_95"] = json_of(number.interval_95);
    j["independent"][key] = number.independent;
  };
  add("height_m", mount.height_m);
  add("roll_deg", mount.roll_deg);
  add("pitch_deg", mount.pitch_deg);
  j["transform"] =
      fmt::format("0,0,0,{:.4f},{:.4f},0", mount.roll_deg.value, mount.pitch_deg.value);
  j["moved"] = json();
  if (const auto& moved = mount.moved) {
    j["moved"] = {{"after", moved->after},
                  {"height_m", moved->height_m},
                  {"roll_deg", moved->roll_deg},
                  {"pitch_deg", moved->pitch_deg}};
  }
  return j;
}

std::string mount_text(const Mount& mount) {
  std::string text =
      fmt::format("{}, roll {}, pitch {} ({} {})", number_text(mount.height_m, "m", 3),
                  number_text(mount.roll_deg, "deg", 2), number_text(mount.pitch_deg, "deg", 2),
                  mount.used, mount.used == 1 ? "frame" : "frames");
  if (const auto& moved = mount.moved) {
    text += fmt::format(
        "; it seems to have moved after {}: height {:+.3f} m, roll {:+.2f} deg, pitch {:+.2f} deg",
        moved->after, moved->height_m, moved->roll_deg, moved->pitch_deg);
  }
  return text;
}

}  // namespace roadplane
