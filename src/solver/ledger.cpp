#include "roadplane/solver/ledger.hpp"

namespace roadplane {

std::optional<Termination> Ledger::limit_reached(const StopOptions& stop) const {
  if (stop.max_rounds > 0 && traffic().rounds >= stop.max_rounds) return Termination::round_limit;
  if (stop.max_samples > 0 && samples_ >= stop.max_samples) return Termination::sample_limit;
  if (stop.max_seconds > 0 && seconds() >= stop.max_seconds) return Termination::time_limit;
  return std::nullopt;
}

}  // namespace roadplane
