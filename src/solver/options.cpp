#include "roadplane/solver/options.hpp"

#include <cmath>
#include <string>

#include "roadplane/base/field_error.hpp"

namespace roadplane {
void SolverOptions::validate() const {
  require(step > 0 && std::isfinite(step), "step", "a number above 0", step);
  gossip.validate();
  require(first_iteration >= 1, "first_iteration", "at least 1", first_iteration);
  require(stop.max_iterations >= first_iteration, "stop.max_iterations",
          "at least " + std::to_string(first_iteration), stop.max_iterations);
  require(stop.max_rounds >= 0, "stop.max_rounds", "0 (no limit) or more", stop.max_rounds);
  require(stop.max_messages >= 0, "stop.max_messages", "0 (no limit) or more", stop.max_messages);
  require(stop.max_bytes >= 0 && std::isfinite(stop.max_bytes), "stop.max_bytes",
          "0 (no limit) or more", stop.max_bytes);
  require(stop.max_samples >= 0, "stop.max_samples", "0 (no limit) or more", stop.max_samples);
  require(stop.max_seconds >= 0 && std::isfinite(stop.max_seconds), "stop.max_seconds",
          "0 (no limit) or more", stop.max_seconds);
  require(stop.residual_tolerance >= 0, "stop.residual_tolerance", "0 (off) or more",
          stop.residual_tolerance);
  require(stop.stationarity_tolerance >= 0, "stop.stationarity_tolerance", "0 (off) or more",
          stop.stationarity_tolerance);
  require(stop.safe_radius > 0, "stop.safe_radius", "a number above 0", stop.safe_radius);
  require(stop.max_step_halvings >= 0, "stop.max_step_halvings", "0 or more",
          stop.max_step_halvings);
  require(trace.growth == 0 || trace.growth > 1, "trace.growth", "0 (off) or a factor above 1",
          trace.growth);
  require(trace.every >= 0, "trace.every", "0 (off) or more iterations", trace.every);
}

double scheduled_step(double step, StepSchedule schedule, std::int64_t epoch) {
  const double k = static_cast<double>(epoch);
  switch (schedule) {
    case StepSchedule::constant:
      return step;
    case StepSchedule::inverse_sqrt:
      return step / std::sqrt(k);
    case StepSchedule::inverse:
      return step / k;
  }
  return step;
}

}  // namespace roadplane
