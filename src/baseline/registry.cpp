#include "roadplane/baseline/registry.hpp"

#include <array>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/stopwatch.hpp"
#include "roadplane/base/words.hpp"
#include "svd.hpp"

namespace roadplane {
namespace {

struct Entry {
  std::string_view name;
  BaselineResult (*run)(PointSpan, const BaselineOptions&);
};

/// A fit of unit columns, timed together with making them.
template <class Fit>
BaselineResult on_cloud(PointSpan points, Fit fit) {
  const Stopwatch watch;
  HomogeneousCloud cloud;
  cloud.assign(points);
  BaselineResult result = fit(cloud);
  result.seconds = watch.seconds();
  return result;
}

BaselineResult run_svd(PointSpan points, const BaselineOptions&) {
  return on_cloud(points, fit_svd);
}
BaselineResult run_psgm(PointSpan points, const BaselineOptions& options) {
  return on_cloud(points, [&](const auto& cloud) { return fit_psgm(cloud, options.psgm); });
}
BaselineResult run_irls(PointSpan points, const BaselineOptions& options) {
  return on_cloud(points, [&](const auto& cloud) { return fit_irls(cloud, options.irls); });
}
BaselineResult run_ransac(PointSpan points, const BaselineOptions& options) {
  return fit_ransac(points, options.ransac);
}

constexpr std::array<Entry, 4> kEntries{
    {{"svd", run_svd}, {"psgm", run_psgm}, {"irls", run_irls}, {"ransac", run_ransac}}};
constexpr auto kNames = [] {
  std::array<std::string_view, kEntries.size()> names;
  for (std::size_t k = 0; k < names.size(); ++k) names[k] = kEntries[k].name;
  return names;
}();

}  // namespace

std::span<const std::string_view> baseline_names() { return kNames; }

BaselineResult run_baseline(std::string_view name, PointSpan points,
                            const BaselineOptions& options) {
  for (const Entry& entry : kEntries) {
    if (entry.name == name) return entry.run(points, options);
  }
  throw FieldError("baseline", alternatives(kNames), in_quotes(name));
}

}  // namespace roadplane
