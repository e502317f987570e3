#pragma once

#include <string>

#include "roadplane/compare/method_run.hpp"

namespace roadplane {

/// What every decentralised method may spend on a frame, all of its phases included.
struct Budget {
  enum class Kind { rounds, samples, seconds };

  Kind kind = Kind::rounds;
  double amount = 0;  ///< communication rounds, component gradients per agent, or [s]

  /// "rounds=4000", "samples=1e6", "seconds=0.5". Throws FieldError naming `budget`.
  static Budget parse(const std::string& text);
  std::string to_string() const;

  /// What of it a run has spent.
  double spent(const FrameRecord& record) const;
};

/// Gives the plan's solver that budget. On l3 it is a limit. The robust objective has a schedule
/// with an end of its own: it is made longer or shorter, by equally many iterations in each of its
/// stages, so that it spends as much of the budget as it can. How long that is, is found by trial
/// on the frame, which is not counted; where not even the shortest schedule fits, it is cut off.
void apply_budget(const Budget& budget, const SharedFrame& shared, SegmentPlan& plan);

}  // namespace roadplane
