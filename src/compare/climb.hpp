#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "roadplane/compare/compare_frames.hpp"

namespace roadplane {

/// A search for a solver's best settings: from the best step of a list, each parameter is moved as
/// long as that helps, so that the values tried grow with it, and again with the others at their
/// new places.
class Climb {
 public:
  using Try = std::function<TuningTrial(const MethodSettings&)>;

  Climb(const ComparePlan& plan, const CompareMethod& method, Try try_settings);

  Tuning operator()(const std::atomic<bool>& stop);

 private:
  /// A parameter as a row of values, one every notch.
  struct Dial {
    const char* name;
    int least;         ///< notch, and
    int most;          ///< up to which it goes
    bool bound_below;  ///< the least value is one by nature, no edge
    bool bound_above;
    int (*notch)(const MethodSettings&);
    void (*set)(MethodSettings&, int notch);
  };
  static std::vector<Dial> dials_of(const CompareMethod& method);

  /// Whether it is the best so far. What was tried before is not tried again.
  bool improves(const MethodSettings& settings);
  bool climb(const Dial& dial, const std::atomic<bool>& stop);
  bool change_schedule(const std::atomic<bool>& stop);
  std::string edges() const;

  std::vector<double> steps_;
  bool has_schedule_;
  bool has_step_;
  std::vector<Dial> dials_;  ///< that of the step first, if there is one
  MethodSettings first_;     ///< the program's own choices, where a dial needs a place to begin
  Try try_;
  Tuning tuning_;
  const TuningTrial* best() const;
  std::size_t best_ = 0;  ///< of tuning_.trials
};

/// Whether `a` is better than `b`.
bool better(const TuningTrial& a, const TuningTrial& b);

}  // namespace roadplane
