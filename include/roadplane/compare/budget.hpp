#pragma once

#include <string>

#include "roadplane/compare/method_run.hpp"

namespace roadplane {

/// What every decentralised method may spend on a frame, all of its phases included.
struct Budget {
  enum class Kind { messages, rounds, bytes, samples, seconds };

  Kind kind = Kind::messages;
  double amount = 0;  ///< messages per link, rounds, bytes or component gradients per agent, or [s]

  /// "messages=2000", "bytes=1e6", "seconds=0.5", ... Throws FieldError naming `budget`.
  static Budget parse(const std::string& text);
  std::string to_string() const;

  /// What of it a run has spent.
  double spent(const FrameRecord& record) const;
  /// The same on the way.
  double spent(const TraceEntry& entry, const Graph& graph) const;
};

/// Gives the plan's solver that budget as a limit on the whole solve, all of its parts included,
/// that it never exceeds. It may end earlier, at rest; one that does not bear the first iteration
/// gives no result but what would.
void apply_budget(const Budget& budget, const SharedFrame& shared, SegmentPlan& plan);

}  // namespace roadplane
