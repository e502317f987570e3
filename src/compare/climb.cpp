#include "climb.hpp"

#include <algorithm>
#include <cmath>

namespace roadplane {
namespace {

/// 1, 2, 5, 10, 20, ...: the notches of a logarithmic dial.
double value_at(int notch) {
  constexpr double kDigits[] = {1, 2, 5};
  const int decade = static_cast<int>(std::floor(notch / 3.0));
  return kDigits[notch - 3 * decade] * std::pow(10.0, decade);
}

int notch_of(double value) {
  int nearest = -30;
  for (int notch = -30; notch <= 12; ++notch) {
    if (std::abs(std::log(value_at(notch) / value)) <
        std::abs(std::log(value_at(nearest) / value))) {
      nearest = notch;
    }
  }
  return nearest;
}

int doublings_of(int value) { return static_cast<int>(std::lround(std::log2(std::max(1, value)))); }

}  // namespace

bool better(const TuningTrial& a, const TuningTrial& b) { return a.score < b.score; }

std::vector<Climb::Dial> Climb::dials_of(const CompareMethod& method) {
  std::vector<Dial> dials;
  if (method.solver == "all-reduce") return dials;  // nothing to choose
  if (!method.has_step()) {
    dials.push_back({"tolerance", -18, -1, false, true,
                     [](const MethodSettings& s) { return notch_of(s.gossip_tolerance); },
                     [](MethodSettings& s, int n) { s.gossip_tolerance = value_at(n); }});
    return dials;
  }
  dials.push_back({"step", -18, 9, false, false,
                   [](const MethodSettings& s) { return notch_of(s.step); },
                   [](MethodSettings& s, int n) { s.step = value_at(n); }});
  dials.push_back({"t", 0, 6, true, false,
                   [](const MethodSettings& s) { return doublings_of(s.gossip_rounds); },
                   [](MethodSettings& s, int n) { s.gossip_rounds = 1 << n; }});
  if (method.solver.starts_with("vrsgt")) {
    dials.push_back({"q", 0, 12, true, false,
                     [](const MethodSettings& s) { return doublings_of(s.inner_iterations); },
                     [](MethodSettings& s, int n) { s.inner_iterations = 1 << n; }});
  }
  return dials;
}

Climb::Climb(const ComparePlan& plan, const CompareMethod& method, Try try_settings)
    : steps_(plan.steps),
      has_schedule_(method.solver == "drsgd"),
      has_step_(method.has_step()),
      dials_(dials_of(method)),
      try_(std::move(try_settings)) {
  const bool robust = method.objective == "robust";
  if (has_step_) first_.gossip_rounds = 1;
  if (method.solver.starts_with("vrsgt")) first_.inner_iterations = robust ? 4 : 8;
  if (!has_step_ && !dials_.empty()) first_.gossip_tolerance = 1e-4;
}

const TuningTrial* Climb::best() const {
  return tuning_.trials.empty() ? nullptr : &tuning_.trials[best_];
}

bool Climb::improves(const MethodSettings& settings) {
  constexpr std::size_t kMostTries = 30;  // the same for every solver
  if (tuning_.trials.size() >= kMostTries) return false;
  for (const TuningTrial& trial : tuning_.trials) {
    if (trial.settings == settings) return false;
  }
  tuning_.trials.push_back(try_(settings));
  const std::size_t last = tuning_.trials.size() - 1;
  if (last > 0 && !better(tuning_.trials[last], tuning_.trials[best_])) return false;
  best_ = last;
  return last > 0;
}

/// Up as long as it helps; if it does not at once, down.
bool Climb::climb(const Dial& dial, const std::atomic<bool>& stop) {
  bool moved = false;
  for (const int direction : {1, -1}) {
    for (;;) {
      MethodSettings next = best()->settings;
      const int notch = dial.notch(next) + direction;
      if (stop || notch < dial.least || notch > dial.most) break;
      dial.set(next, notch);
      if (!improves(next)) break;
      moved = true;
    }
    if (moved) break;
  }
  return moved;
}

/// Every schedule from steps as large as the best one or larger: a falling step may begin higher.
bool Climb::change_schedule(const std::atomic<bool>& stop) {
  bool changed = false;
  const MethodSettings before = best()->settings;
  for (const StepSchedule schedule :
       {StepSchedule::constant, StepSchedule::inverse_sqrt, StepSchedule::inverse}) {
    for (int up = 0; up <= 4 && !stop && schedule != before.schedule; up += 2) {
      MethodSettings next = before;
      next.schedule = schedule;
      dials_.front().set(next, dials_.front().notch(before) + up);
      changed = improves(next) || changed;
    }
  }
  if (changed) climb(dials_.front(), stop);
  return changed;
}

std::string Climb::edges() const {
  std::string text;
  for (const Dial& dial : dials_) {
    const int notch = dial.notch(best()->settings);
    const bool edge =
        (notch <= dial.least && !dial.bound_below) || (notch >= dial.most && !dial.bound_above);
    if (edge) text += std::string(text.empty() ? "" : ", ") + dial.name;
  }
  return text;
}

Tuning Climb::operator()(const std::atomic<bool>& stop) {
  constexpr int kMostSweeps = 3;
  if (has_step_) {
    for (const double step : steps_) {
      if (stop) break;
      MethodSettings settings = first_;
      settings.step = step;
      improves(settings);
    }
  } else {
    improves(first_);
  }
  if (!best() || !std::isfinite(best()->score)) return std::move(tuning_);
  for (int sweep = 0; sweep < kMostSweeps && !stop; ++sweep) {
    bool moved = false;
    for (const Dial& dial : dials_) moved = climb(dial, stop) || moved;
    if (has_schedule_) moved = change_schedule(stop) || moved;
    if (!moved) break;
  }
  // What does no more than stand still has not been tuned.
  constexpr double kLeastProgress = 0.01;  // of the score: 2 % nearer on average
  if (best()->score > -kLeastProgress) return std::move(tuning_);
  tuning_.best = best()->settings;
  tuning_.edge = edges();
  return std::move(tuning_);
}

}  // namespace roadplane
