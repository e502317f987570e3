#include "roadplane/solver/ledger.hpp"

#include <cmath>

namespace roadplane {

std::optional<Termination> Ledger::limit_before(const Expense& next, const StopOptions& stop,
                                                double next_seconds) const {
  const Expense total = total_with(next);
  const Graph& graph = channel_->network().graph;
  if (stop.max_rounds > 0 && total.traffic.rounds > stop.max_rounds) {
    return Termination::round_limit;
  }
  if (stop.max_messages > 0 && total.traffic.messages_per_link > stop.max_messages) {
    return Termination::message_limit;
  }
  if (stop.max_bytes > 0 && total.traffic.bytes_per_agent(graph) > stop.max_bytes) {
    return Termination::byte_limit;
  }
  if (stop.max_samples > 0 && total.samples > stop.max_samples) return Termination::sample_limit;
  if (stop.max_seconds > 0 && seconds() + next_seconds >= stop.max_seconds) {
    return Termination::time_limit;
  }
  return std::nullopt;
}

std::string Ledger::needs(Termination limit, const Expense& next, double next_seconds) const {
  const Expense total = total_with(next);
  switch (limit) {
    case Termination::round_limit:
      return std::to_string(total.traffic.rounds) + " rounds";
    case Termination::message_limit:
      return std::to_string(total.traffic.messages_per_link) + " messages";
    case Termination::byte_limit:
      return std::to_string(std::llround(
                 std::ceil(total.traffic.bytes_per_agent(channel_->network().graph)))) +
             " bytes";
    case Termination::sample_limit:
      return std::to_string(total.samples) + " samples";
    default:
      return std::to_string(seconds() + next_seconds) + " seconds";
  }
}

}  // namespace roadplane
